// The equations that herglotz-nonholonomic prints, (4.4), (4.7) and (A.1)-(A.5), evaluated term by term on
// trajectories of the reference, which solves them in another form.

#include "magnitude.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

// Every term passes some ten operations; the positions are rounded once; Newton's method leaves a few units
// of its own terms.
constexpr double operations = 32.0;

void expect_zero(const Sized& residual, const std::string& equation) {
  EXPECT_LT(std::abs(residual.value), operations * eps * residual.size) << equation;
  EXPECT_GT(residual.size, 0.0) << equation;
}

/// Coordinate i at nodes j-1, j, j+1, and the multiplier of the step from j, k of the equation.
struct Window {
  const std::vector<Node>& nodes;
  std::size_t j;
  Sized before(int i) const { return nodes[j - 1].q[i]; }
  Sized here(int i) const { return nodes[j].q[i]; }
  Sized ahead(int i) const { return nodes[j + 1].q[i]; }
  Sized lambda(int k) const { return nodes[j + 1].lambda[k]; }
};

std::vector<Node> foucault(const std::string& scheme, const std::string& start) {
  const Model model = general_model("foucault_pendulum");
  Options options{scheme, 0.05, 0.0};
  options.given = {{"variant", "endpoint"}, {"start", start}};
  return run(model, options, project(model, default_state(model)), 200);  // nine times past the origin
}

constexpr double m = 2.0, l = 5.0, g = 9.81, alpha = 0.1, h = 0.05;
const double w = 0.2 * std::sin(49.0 * std::acos(-1.0) / 180.0);

/// The third of (4.4) and (4.7).
Sized printed_constraint(const Window& at) {
  const Sized x = at.here(0), y = at.here(1);
  return -y * (at.ahead(0) - x) / h + x * (at.ahead(1) - y) / h + w * (x * x + y * y);
}

TEST(AsPrinted, LagrangeDAlembertOfTheFoucaultPendulum) {  // (4.4), multiplier h times ours
  for (const std::string start : {"legendre", "naive"}) {
    const auto nodes = foucault("lagrange_dalembert", start);
    for (std::size_t j = 1; j + 1 < nodes.size(); ++j) {
      const Window at{nodes, j};
      const auto inertia = [&](int i) {
        return (-at.ahead(i) + 2.0 * at.here(i) - at.before(i)) / h - h * g / l * at.here(i) -
               alpha * (at.ahead(i) - at.here(i));
      };
      const Sized lambda1 = h * at.lambda(0);
      expect_zero(inertia(0) + lambda1 * at.here(1) / m, "(4.4), first");
      expect_zero(inertia(1) - lambda1 * at.here(0) / m, "(4.4), second");
      expect_zero(printed_constraint(at), "(4.4), third");
    }
  }
}

TEST(AsPrinted, Contact1OfTheFoucaultPendulum) {  // (4.7)
  for (const std::string start : {"legendre", "naive"}) {
    const auto nodes = foucault("contact_1", start);
    for (std::size_t j = 1; j + 1 < nodes.size(); ++j) {
      const Window at{nodes, j};
      const auto inertia = [&](int i) {
        return (-at.ahead(i) + 2.0 * at.here(i) - at.before(i)) / (h * h) - g / l * at.here(i) -
               alpha * ((at.here(i) - at.before(i)) / h - h * g / (2.0 * l) * at.here(i));
      };
      expect_zero(inertia(0) + at.lambda(0) * at.here(1) / m, "(4.7), first");
      expect_zero(inertia(1) - at.lambda(0) * at.here(0) / m, "(4.7), second");
      expect_zero(printed_constraint(at), "(4.7), third");
    }
  }
}

// (A.1)-(A.5). D a_ = a_{j-1} - a_j over h, D a = a_j - a_{j+1} over h.
class Appendix {
 public:
  Appendix(const std::vector<Node>& nodes, std::size_t j) : at{nodes, j} {
    for (int i = 0; i < 5; ++i) F.push_back(force[i] + rate[i] * nodes[j].time);
  }
  static const Model& model() {
    static const Model general = general_model("rolling_disk");
    return general;
  }

  Sized A1() const {
    const auto bracket = [&](int i) {
      return F[i] / 2 -
             1 / (a / 2 + 1) * (F[i] / 2 - m * (at.before(i) - at.here(i)) / (h * h)) * (a / 2 - 1) +
             m * (at.here(i) - at.ahead(i)) / (h * h);
    };
    return R * cos(phi) * bracket(X) + R * sin(phi) * bracket(Y) -
           1 / (a / 2 + 1) * (a / 2 - 1) *
               (F[Psi] / 2 - 1 / h * IA * (D_(Psi) - sin(mean_(Theta)) * D_(Phi))) +
           1 / h * IA * (D(Psi) - sin(mean(Theta)) * D(Phi)) + F[Psi] / 2;
  }
  Sized A2() const {
    return R * cos(mean(Phi)) * D(Psi) - D(X) - R * cos(mean(Phi)) * sin(mean(Theta)) * D(Phi) -
           R * cos(mean(Theta)) * sin(mean(Phi)) * D(Theta);
  }
  Sized A3() const {
    return R * sin(mean(Phi)) * D(Psi) - D(Y) - R * sin(mean(Phi)) * sin(mean(Theta)) * D(Phi) +
           R * cos(mean(Phi)) * cos(mean(Theta)) * D(Theta);
  }
  Sized A4() const {
    const double k = (a - 2) / (a + 2);
    const Sized sum = at.here(Theta) + at.ahead(Theta), sum_ = at.before(Theta) + at.here(Theta);
    const auto bracket = [&](int i) { return F[i] / (2 * m) - k * (F[i] / (2 * m) - D_(i) / h) + D(i) / h; };
    return F[Theta] / m + IT / m * (2 * D(Theta) / h - sin(sum) / 2 * D(Phi) * D(Phi)) + R * g * sin(theta) +
           R * R * (squared(sin(mean(Theta))) * 2 * D(Theta) / h + sin(sum) / 2 * D(Theta) * D(Theta)) +
           k * (IT / m * (2 * D_(Theta) / h + sin(sum_) / 2 * D_(Phi) * D_(Phi)) - F[Theta] / m -
                R * g * sin(theta) +
                R * R *
                    (squared(sin(mean_(Theta))) * 2 * D_(Theta) / h - sin(sum_) / 2 * D_(Theta) * D_(Theta)) +
                IA * h * D_(Phi) / m * cos(mean_(Theta)) * (D_(Psi) / h - sin(mean_(Theta)) * D_(Phi) / h)) +
           2 * R * cos(phi) * cos(theta) * bracket(Y) - 2 * R * cos(theta) * sin(phi) * bracket(X) -
           IA * h * D(Phi) / m * cos(mean(Theta)) * (D(Psi) / h - sin(mean(Theta)) * D(Phi) / h);
  }
  Sized A5() const {
    const double k = (a - 2) / (a + 2);
    const auto bracket = [&](int i) { return F[i] / 2 - k * (F[i] / 2 - m * D_(i) / h) + m * D(i) / h; };
    return F[Phi] / 2 + IT * squared(cos(mean(Theta))) * D(Phi) / h -
           k * (F[Phi] / 2 - IT * squared(cos(mean_(Theta))) * D_(Phi) / h +
                IA * sin(mean_(Theta)) * (D_(Psi) / h - sin(mean_(Theta)) * D_(Phi) / h)) -
           R * cos(phi) * sin(theta) * bracket(X) - R * sin(phi) * sin(theta) * bracket(Y) -
           IA * sin(mean(Theta)) * (D(Psi) / h - sin(mean(Theta)) * D(Phi) / h);
  }

 private:
  enum { X, Y, Theta, Phi, Psi };
  static double parameter(const std::string& name) { return model().parameters.at(name)[0]; }
  static Sized squared(Sized x) { return x * x; }
  Sized mean_(int i) const { return (at.before(i) + at.here(i)) / 2; }
  Sized mean(int i) const { return (at.here(i) + at.ahead(i)) / 2; }
  Sized D_(int i) const { return (at.before(i) - at.here(i)) / h; }
  Sized D(int i) const { return (at.here(i) - at.ahead(i)) / h; }

  Window at;
  const std::vector<double>&force = model().parameters.at("force"),
        &rate = model().parameters.at("force_rate");
  std::vector<Sized> F;
  const double m = parameter("mass"), R = parameter("radius"), IA = parameter("inertia_axial"),
               IT = parameter("inertia_transverse"), g = parameter("gravity"), a = parameter("damping") * h;
  const Sized theta = at.here(Theta), phi = at.here(Phi);
};

TEST(AsPrinted, Contact2OfTheRollingDisk) {
  for (const std::string start : {"legendre", "naive"}) {
    Options options{"contact_2", h, 0.0};
    options.given["start"] = start;
    const auto nodes = run(Appendix::model(), options, general_state(Appendix::model()), 40);
    for (std::size_t j = 1; j + 1 < nodes.size(); ++j) {
      const Appendix at(nodes, j);
      expect_zero(at.A1(), "(A.1)");
      expect_zero(at.A2(), "(A.2)");
      expect_zero(at.A3(), "(A.3)");
      expect_zero(at.A4(), "(A.4)");
      expect_zero(at.A5(), "(A.5)");
    }
  }
}

// The same of another scheme is not zero: what is evaluated can tell them apart.
TEST(AsPrinted, OtherSchemesDoNotSolveTheAppendix) {
  const auto nodes =
      run(Appendix::model(), {"lagrange_dalembert", h, 0.0}, general_state(Appendix::model()), 4);
  const Appendix at(nodes, 2);
  for (const Sized& residual : {at.A1(), at.A2(), at.A3(), at.A4(), at.A5()})
    EXPECT_GT(std::abs(residual.value), 1e6 * eps * residual.size);
}

}  // namespace
}  // namespace livens::reference
