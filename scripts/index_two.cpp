// Where IDA stops on the rolling disk in the form of index two, A v = 0 in place of its derivative, with the multipliers in
// the error test: herglotz-nonholonomic, section 4.4, (4.10) and (4.11), to 20 or 30 s. The paper says of ode15i, at the
// same tolerance, that it stops at 11.1 (experiment 2, alpha = 0.1), 7.7 (3, alpha = 0) and 22.8 s (4, alpha = 0.1).
//
//   c++ -std=c++20 -O2 -I/usr/include/eigen3 scripts/index_two.cpp -lsundials_ida -lsundials_nvecserial -o index_two
//   ./index_two [TOLERANCE]     by default 1e-6; docs/measurements/index_two.txt is what it prints of some
//
// A run stops where IDA finds no step that passes the error test, and is given up after 50 000 steps. SUNDIALS 6. The equations are those of scripts/papers_by_hand.py disk, and nothing of livens.

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

namespace {

using Matrix5 = Eigen::Matrix<double, 5, 5>;
using Vector5 = Eigen::Vector<double, 5>;
using Rows = Eigen::Matrix<double, 2, 5>;
using Vector12 = Eigen::Vector<double, 12>;  // q = (X, Y, theta, phi, psi), v, lambda

constexpr long most_steps = 50'000;
constexpr double m = 5, R = 0.5, I_A = m * R * R / 2, I_T = m * R * R / 4, pi = std::numbers::pi;

struct Disk {
  double alpha, driven;  // 1/s; F = (0, 0, 0, driven t, driven t)
};

struct Equations {
  Matrix5 M;
  Vector5 force;
  Rows A, A_rate;
};

Equations equations(const Disk& disk, double t, const Vector5& q, const Vector5& v) {
  const double s = std::sin(q[2]), c = std::cos(q[2]), theta = v[2], phi = v[3], psi = v[4];
  const Eigen::Vector2d e1(std::cos(q[3]), std::sin(q[3])), e2(-e1[1], e1[0]);
  Equations of{Matrix5::Zero(), Vector5::Zero(), Rows::Zero(), Rows::Zero()};
  of.M.diagonal() << m, m, m * R * R * s * s + I_T, I_A * s * s + I_T * c * c, I_A;
  of.M(3, 4) = of.M(4, 3) = -I_A * s;
  Matrix5 M_rate = Matrix5::Zero();
  M_rate.diagonal() << 0, 0, 2 * m * R * R * s * c * theta, 2 * (I_A - I_T) * s * c * theta, 0;
  M_rate(3, 4) = M_rate(4, 3) = -I_A * c * theta;
  of.force = -M_rate * v - disk.alpha * of.M * v;
  of.force[2] += m * R * R * s * c * theta * theta - I_A * (psi - phi * s) * phi * c -
                 I_T * phi * phi * c * s + m * 9.81 * R * s;
  of.force.tail(2).array() += disk.driven * t;
  of.A << Eigen::Matrix2d::Identity(), -R * c * e2, R * s * e1, -R * e1;
  of.A_rate << Eigen::Matrix2d::Zero(), R * (s * theta * e2 + c * phi * e1),
      R * (c * theta * e1 + s * phi * e2), -R * phi * e2;
  return of;
}

int residual(double t, N_Vector y_vector, N_Vector rate_vector, N_Vector out, void* disk) {
  const Eigen::Map<Vector12> y(N_VGetArrayPointer(y_vector)), rate(N_VGetArrayPointer(rate_vector));
  Eigen::Map<Vector12> r(N_VGetArrayPointer(out));
  const Vector5 v = y.segment<5>(5);
  const Equations of = equations(*static_cast<const Disk*>(disk), t, y.head<5>(), v);
  r << rate.head<5>() - v, of.M * rate.segment<5>(5) + of.A.transpose() * y.tail<2>() - of.force, of.A * v;
  return r.allFinite() ? 0 : 1;
}

void run(const char* name, Disk disk, const Vector5& q, Vector5 v, double end, double tolerance) {
  v[0] = R * (v[4] - v[3] * std::sin(q[2]));  // along e1 at phi = 0, theta' = 0
  const Equations of = equations(disk, 0.0, q, v);
  Eigen::Matrix<double, 7, 7> saddle;
  saddle << of.M, of.A.transpose(), of.A, Eigen::Matrix2d::Zero();
  Eigen::Vector<double, 7> right;
  right << of.force, -of.A_rate * v;
  const Eigen::Vector<double, 7> start = saddle.fullPivLu().solve(right);

  SUNContext context;
  SUNContext_Create(nullptr, &context);
  const N_Vector y = N_VNew_Serial(12, context), rate = N_VNew_Serial(12, context);
  Eigen::Map<Vector12>(N_VGetArrayPointer(y)) << q, v, start.tail<2>();
  Eigen::Map<Vector12>(N_VGetArrayPointer(rate)) << v, start.head<5>(), 0, 0;
  const SUNMatrix matrix = SUNDenseMatrix(12, 12, context);
  const SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
  void* ida = IDACreate(context);
  IDAInit(ida, residual, 0.0, y, rate);
  IDASStolerances(ida, tolerance, tolerance);
  IDASetUserData(ida, &disk);
  IDASetLinearSolver(ida, linear, matrix);
  IDASetMaxNumSteps(ida, most_steps);
  IDASetErrHandlerFn(
      ida, [](int, const char*, const char*, char*, void*) {}, nullptr);
  double reached = 0.0;
  const int flag = IDASolve(ida, end, &reached, y, rate, IDA_NORMAL);
  if (flag < 0) IDAGetCurrentTime(ida, &reached);
  char* why = IDAGetReturnFlagName(flag);
  const char* how = flag == IDA_TOO_MUCH_WORK ? "is given up at" : flag < 0 ? "stops at" : "comes to";
  std::printf("experiment %-25s %s %.3f s, theta = %.4f rad (%s)\n", name, how, reached,
              N_VGetArrayPointer(y)[2], why);
  std::free(why);
  IDAFree(&ida);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(rate);
  SUNContext_Free(&context);
}

}  // namespace

int main(int count, char** arguments) {
  const double tolerance = count > 1 ? std::atof(arguments[1]) : 1e-6;
  const Vector5 upright = Vector5::Zero(), inclined(0, 0, pi / 36, 0, 0), tilted(0, 0, pi / 9, 0, 0);
  const auto turning = [](double phi, double psi) { return Vector5(0, 0, 0, phi, psi); };
  run("2.1, alpha = 0", {0.0, 0.0}, inclined, turning(0, 2 * pi), 20, tolerance);
  run("2.2, alpha = 0.005", {0.005, 0.0}, inclined, turning(0, 2 * pi), 20, tolerance);
  run("2.3, alpha = 0.1", {0.1, 0.0}, inclined, turning(0, 2 * pi), 20, tolerance);
  run("3.1, alpha = 0", {0.0, 1.0 / 16}, upright, turning(0, pi), 20, tolerance);
  run("3.2, alpha = 0.005", {0.005, 1.0 / 16}, upright, turning(0, pi), 20, tolerance);
  run("3.3, alpha = 0.1", {0.1, 1.0 / 16}, upright, turning(0, pi), 20, tolerance);
  run("4.3, psi' of the captions", {0.1, 0.0}, tilted, turning(-0.3 * pi, 38.868379), 30, tolerance);
  run("4.3, steady circle", {0.1, 0.0}, tilted, turning(-0.3 * pi, -5.319914), 30, tolerance);
}
