// Bodies and joints of a text: docs/equations/text.md, section 5.

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <numbers>

#include "reference/equations_of_motion.hpp"
#include "reference/text/observation.hpp"
#include "reference/text/text_system.hpp"
#include "text_systems.hpp"

namespace livens::reference {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Joint = TextDescription::Joint;

/// Two free bodies; both move and turn.
TextDescription two_bodies() {
  TextDescription text;
  text.name = "two_bodies";
  text.parameters = {{"m", {1.7}}, {"J", {0.3, 0.4, 0.6}, true}, {"l", {0.8}}};
  text.bodies = {{"arm", "m", {"J[0]", "J[1]", "J[2]"}}, {"load", "2*m", {"0.5", "0.7", "0.9"}}};
  text.initial_position = {{"arm.x", {"0.1", "-0.2", "0.3"}},
                           {"arm.rotation", {"0.4", "-0.7", "0.5"}},
                           {"load.x", {"1", "0.5*l", "-0.3"}},
                           {"load.rotation", {"-0.2", "0.3", "0.9"}}};
  text.initial_velocity = {{"arm.x", {"0.3", "0.2", "-0.5"}},
                           {"arm.omega", {"1.1", "-0.6", "2.3"}},
                           {"load.x", {"-0.4", "0.6", "0.1"}},
                           {"load.omega", {"0.7", "1.9", "-0.8"}}};
  return text;
}

TextDescription two_planar_bodies() {
  TextDescription text;
  text.name = "two_planar_bodies";
  text.parameters = {{"m", {1.7}}, {"l", {0.8}}};
  text.bodies = {{"arm", "m", {"m*l^2/12"}, true}, {"load", "2*m", {"0.4"}, true}};
  text.initial_position = {{"arm.x", {"0.1", "-0.2"}},
                           {"arm.rotation", {"0.4"}},
                           {"load.x", {"1", "0.5*l"}},
                           {"load.rotation", {"-0.9"}}};
  text.initial_velocity = {{"arm.x", {"0.3", "0.2"}},
                           {"arm.omega", {"1.1"}},
                           {"load.x", {"-0.4", "0.6"}},
                           {"load.omega", {"0.7"}}};
  return text;
}

System system_of(const TextDescription& text) { return make_system(model_of(text)); }

/// A state of no symmetry, on no rows.
State anywhere(const System& system) {
  State s = system.initial;
  for (Eigen::Index i = 0; i < s.q.size(); ++i) {
    s.q[i] += 0.3 * std::sin(1.0 + 2.3 * static_cast<double>(i));
    s.v[i] += 0.5 * std::cos(0.5 + 1.7 * static_cast<double>(i));
  }
  return s;
}

/// A state on the rows, without symmetry either.
State on_rows(const System& system) {
  State s = anywhere(system);
  s.q = project_position(system, system.initial.q + 0.2 * (s.q - system.initial.q));
  s.v = project_velocity(system, s.q, s.v);
  return s;
}

/// Centre of mass and axes of the body whose coordinates begin there.
struct Placed {
  VectorXd x;
  MatrixXd R;
  Placed(const VectorXd& q, int first, int n) : x(q.segment(first, n)), R(n, n) {
    for (int k = 0; k < n; ++k) R.col(k) = q.segment(first + n * (k + 1), n);
  }
};
Placed fixed(int n) {
  VectorXd q = VectorXd::Zero(n * (n + 1));
  for (int k = 0; k < n; ++k) q[n * (k + 1) + k] = 1.0;
  return {q, 0, n};
}
Vector3d omega_of(const State& s, int first) {
  const Placed at(s.q, first, 3), rate(s.v, first, 3);
  Vector3d w = Vector3d::Zero();
  for (int k = 0; k < 3; ++k) w += 0.5 * Vector3d(at.R.col(k)).cross(Vector3d(rate.R.col(k)));
  return w;
}

/// Rows to a hundred roundings of terms below 10.
void expect_close(const VectorXd& a, const VectorXd& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_LT((a - b).lpNorm<Eigen::Infinity>(), 1000.0 * eps) << what;
}

TEST(TextBodies, StartAsTheyAreTold) {
  const System system = system_of(two_bodies());
  const Vector3d r(0.4, -0.7, 0.5), O(1.1, -0.6, 2.3);
  const Eigen::Matrix3d R = Eigen::AngleAxisd(r.norm(), r.normalized()).toRotationMatrix();
  const Placed at(system.initial.q, 0, 3), rate(system.initial.v, 0, 3);
  EXPECT_LT((at.R - R).norm(), 16.0 * eps);
  const Vector3d w = R * O;
  for (int k = 0; k < 3; ++k)
    expect_close(VectorXd(rate.R.col(k)), VectorXd(w.cross(Vector3d(R.col(k)))), "director rates");
  EXPECT_LT((omega_of(system.initial, 0) - w).norm(), 64.0 * eps);

  TextDescription text = two_bodies();
  text.initial_position = {{"arm.rotation", {"[0, 0, 0]"}}, {"load.x", {"l", "0", "0"}}};
  text.initial_velocity = {};
  const VectorXd q = system_of(text).initial.q;
  expect_close(q.head(12), VectorXd{{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}}, "not turned");
  expect_close(q.tail(12), VectorXd{{0.8, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}}, "nothing given");

  text.initial_position = {
      {"arm.d1", {"0", "1", "0"}}, {"arm.d2", {"-1", "0", "0"}}, {"arm.d3", {"0", "0", "1"}}};
  text.initial_velocity = {{"arm.omega", {"0", "0", "2"}}};
  const System turned = system_of(text);
  expect_close(turned.initial.q.segment(3, 6), VectorXd{{0, 1, 0, -1, 0, 0}}, "directors");
  expect_close(turned.initial.v.segment(3, 6), VectorXd{{-2, 0, 0, 0, -2, 0}}, "turning directors");

  const State planar = system_of(two_planar_bodies()).initial;
  const double c = std::cos(0.4), s = std::sin(0.4);
  expect_close(planar.q.head(6), VectorXd{{0.1, -0.2, c, s, -s, c}}, "planar");
  expect_close(planar.v.head(6), VectorXd{{0.3, 0.2, -1.1 * s, 1.1 * c, -1.1 * c, -1.1 * s}}, "planar");
}

TEST(TextBodies, RowsAndKineticEnergyOfABody) {
  const System system = system_of(two_bodies());
  const State s = anywhere(system);
  VectorXd rows(12);
  for (int body = 0; body < 2; ++body) {
    const MatrixXd R = Placed(s.q, 12 * body, 3).R, S = R.transpose() * R;
    rows.segment(6 * body, 6) << (S(0, 0) - 1) / 2, (S(1, 1) - 1) / 2, (S(2, 2) - 1) / 2, S(0, 1), S(0, 2),
        S(1, 2);
  }
  expect_close(system.constraint(s.q), rows, "rows");

  // Of a rigid motion T = 1/2 m x'.x' + 1/2 O.J O.
  const auto& [q, v] = system.initial;
  const double arm = 0.5 * 1.7 * (0.09 + 0.04 + 0.25) + 0.5 * (0.3 * 1.21 + 0.4 * 0.36 + 0.6 * 5.29),
               load = 0.5 * 3.4 * (0.16 + 0.36 + 0.01) + 0.5 * (0.5 * 0.49 + 0.7 * 3.61 + 0.9 * 0.64);
  EXPECT_NEAR(system.kinetic_energy(q, v), arm + load, 64.0 * eps);
  EXPECT_EQ(system.mass_coordinates, 0);

  const System planar = system_of(two_planar_bodies());
  const State p = anywhere(planar);
  VectorXd planar_rows(6);
  for (int body = 0; body < 2; ++body) {
    const MatrixXd R = Placed(p.q, 6 * body, 2).R, S = R.transpose() * R;
    planar_rows.segment(3 * body, 3) << (S(0, 0) - 1) / 2, (S(1, 1) - 1) / 2, S(0, 1);
  }
  expect_close(planar.constraint(p.q), planar_rows, "planar rows");
  EXPECT_NEAR(planar.kinetic_energy(planar.initial.q, planar.initial.v),
              0.5 * 1.7 * 0.13 + 0.5 * 1.7 * 0.64 / 12.0 * 1.21 + 0.5 * 3.4 * 0.52 + 0.5 * 0.4 * 0.49,
              16.0 * eps);
}

// Euler: m x'' = F, J O' + O x J O = R^T tau, of a state in motion and loads of the state.
TEST(TextBodies, MoveByEulersEquations) {
  TextDescription text = two_bodies();
  text.force = {{"arm.force", {"3*arm.x'"}},
                {"arm.torque", {"1.3", "-0.4*arm.d2[0]", "0.9"}},
                {"arm.x", {"0.5", "0", "t"}},
                {"load.torque", {"cross(arm.x, load.x)"}}};
  const System system = system_of(text);
  const State& s = system.initial;
  const Motion motion = equations_of_motion(system, s);
  const auto expect_euler = [&](int first, const Vector3d& J, const Vector3d& torque) {
    const Placed at(s.q, first, 3), rate(s.v, first, 3), acceleration(motion.acceleration, first, 3);
    const Vector3d O = at.R.transpose() * omega_of(s, first), tau = at.R.transpose() * torque;
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;  // O_k = d_l'.d_m
      const double rate_of_O = acceleration.R.col(l).dot(at.R.col(m)) + rate.R.col(l).dot(rate.R.col(m));
      // The accelerations solve a system of 36 equations with entries from 0.1 to 10.
      EXPECT_NEAR(J[k] * rate_of_O, tau[k] + (J[l] - J[m]) * O[l] * O[m], 1e4 * eps) << first << " " << k;
    }
  };
  const Vector3d arm = s.q.head(3), load = s.q.segment(12, 3);
  expect_euler(0, {0.3, 0.4, 0.6}, {1.3, -0.4 * s.q[6], 0.9});
  expect_euler(12, {0.5, 0.7, 0.9}, arm.cross(load));
  const Vector3d F = 3.0 * s.v.head(3) + Vector3d(0.5, 0.0, 0.0);
  EXPECT_LT((1.7 * motion.acceleration.head(3) - F).norm(), 1e3 * eps);
  EXPECT_LT(motion.acceleration.segment(12, 3).norm(), 1e3 * eps);
}

// A symmetric body, free of loads, turns about its own axis, which turns about the angular momentum by |L|/J1.
TEST(TextBodies, ASymmetricBodyPrecesses) {
  TextDescription text = two_bodies();
  text.bodies = {{"top", "m", {"0.4", "0.4", "0.6"}}};
  text.initial_position = {{"top.rotation", {"0.4", "-0.7", "0.5"}}};
  text.initial_velocity = {{"top.x", {"0.3", "0", "0"}}, {"top.omega", {"1.1", "-0.6", "2.3"}}};
  text.momentum = {
      "cross(top.x, p(top.x)) + cross(top.d1, p(top.d1)) + cross(top.d2, p(top.d2))"
      " + cross(top.d3, p(top.d3))"};
  const Model model = model_of(text);
  const State start = default_state(model);
  const MatrixXd R = Placed(start.q, 0, 3).R;
  const Vector3d L = R * Vector3d(0.4 * 1.1, -0.4 * 0.6, 0.6 * 2.3), d3 = R.col(2);
  const Vector3d exact = Eigen::AngleAxisd(L.norm() / 0.4 * 0.5, L.normalized()) * d3;
  const auto end = [&](const std::string& scheme, int steps) {
    return run(model, {scheme, 0.5 / steps}, start, steps);
  };
  for (const std::string scheme : {"ems", "rattle", "livens"}) {
    const auto error = [&](int steps) { return (end(scheme, steps).back().q.segment(9, 3) - exact).norm(); };
    const double coarse = error(20), fine = error(40);
    EXPECT_LT(fine, 1e-2) << scheme;
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << scheme;
  }
  const std::vector<Node> nodes = end("ems", 20);
  // 20 steps of some tens of eps of terms of 2 J and 2 J s.
  for (const Node& node : nodes) {
    EXPECT_NEAR(node.energy, nodes[0].energy, 20 * 64.0 * eps * 2.0);
    EXPECT_LT((node.momentum - L).norm(), 20 * 64.0 * eps * 2.0);
  }
}

// A body on a spherical joint is the gyroscopic top of reference/systems, row by row, in every scheme.
TEST(TextBodies, ABodyOnASphericalJointIsTheHeavyTop) {
  Model built_in = general_model("heavy_top");
  TextDescription text = as_text("heavy_top");
  const std::string m = "(density*pi*radius^2*height/3)", J1 = "3/80*" + m + "*(4*radius^2 + height^2)";
  text.coordinates = {};
  text.kinetic = "";
  text.rayleigh = "";
  text.constraints = {};
  text.potential = m + "*gravity*top.x[2]";
  text.momentum = {
      "(cross(top.x, p(top.x)) + cross(top.d1, p(top.d1)) + cross(top.d2, p(top.d2))"
      " + cross(top.d3, p(top.d3)))[2]"};
  text.bodies = {{"top", m, {J1, J1, "0.3*" + m + "*radius^2"}}};
  text.joints = {{"tip", "spherical", {"ground", "top"}, {{{"0", "0", "0"}, {"0", "0", "-0.75*height"}}}}};
  const std::string l = "0.75*height*", s = "sin(nutation)", c = "cos(nutation)";
  text.initial_position = {{"top.x", {"0", "-" + l + s, l + c}}, {"top.rotation", {"nutation", "0", "0"}}};
  text.initial_velocity = {{"top.x", {l + s + "*precession_rate", "0", "0"}},
                           {"top.omega", {"0", "precession_rate*" + s, "spin_rate + precession_rate*" + c}}};
  const Model model = model_of(text);
  const System a = make_system(model), b = make_system(built_in);
  expect_close(a.initial.q, b.initial.q, "q");
  expect_close(a.initial.v, b.initial.v, "v");
  const State at = anywhere(b);
  expect_close(a.constraint(at.q), b.constraint(at.q), "g");
  EXPECT_LT((mass_matrix(a, at.q) - mass_matrix(b, at.q)).norm(), 16.0 * eps);
  for (const std::string& scheme : schemes()) {
    if (scheme == "del_nullspace" || !applicable(built_in, scheme)) continue;
    ASSERT_TRUE(applicable(model, scheme)) << scheme;
    Options options{scheme, 0.01};
    if (scheme == "livens") options.given["derivative"] = "invariants";
    const State initial = project(built_in, b.initial);
    Integrator x(model, options, initial), y(built_in, options, initial);
    double largest = 0.0;
    for (int n = 0; n < 10; ++n) {
      const Node &p = x.advance(), &q = y.advance();
      largest =
          std::max({largest, (p.q - q.q).lpNorm<Eigen::Infinity>(), (p.v - q.v).lpNorm<Eigen::Infinity>()});
    }
    // As in text_trajectories.cpp.
    const double round_off =
        64.0 * eps * 10 * growth(built_in, options, initial, 10) * std::max(1.0, y.condition());
    EXPECT_LE(largest, round_off) << scheme;
    EXPECT_LT(round_off, 1e-6) << scheme;
  }
}

/// The unit vectors of an axis as the page has them, in space.
struct Axes {
  Vector3d e, b, c;
  Axes(const Vector3d& a, const Vector3d& u, const MatrixXd& R) {
    const Vector3d own = a.normalized(), across = (u - u.dot(own) * own).normalized();
    e = R * own;
    b = R * across;
    c = R * own.cross(across);
  }
};

// The axes (1, -2, 2), whose first largest entry is the second, and (0, 3, 0).
struct Space {
  VectorXd D;
  Axes i, j;
  MatrixXd R_i, R_j;
  explicit Space(const VectorXd& q)
      : Space(Placed(q, 0, 3), Placed(q, 12, 3), Vector3d(0.1, 0.2, -0.3), Vector3d(-0.8, 0.0, 0.4)) {}
  Space(const Placed& i, const Placed& j, const Vector3d& s_i, const Vector3d& s_j)
      : D(j.x + j.R * s_j - i.x - i.R * s_i),
        i({1, -2, 2}, {0, 0, 1}, i.R),
        j({0, 3, 0}, {0, 0, 1}, j.R),
        R_i(i.R),
        R_j(j.R) {}
};
Joint joint_of(const std::string& kind) {
  Joint joint{"link", kind, {"arm", "load"}, {{{"0.1", "0.2", "-0.3"}, {"-l", "0", "0.4"}}}};
  if (kind == "distance")
    joint.length = "1 + 0.1*t";
  else if (kind != "spherical" && kind != "weld")
    joint.axis = {{{"1", "-2", "2"}, {"0", "3", "0"}}};
  return joint;
}
TextDescription with(TextDescription text, const Joint& joint) {
  text.joints.push_back(joint);
  return text;
}

/// Rows behind those of the bodies, and G by differences: errors of (1e-5)^2 and of rounding over 1e-5; rows are
/// quadratic, so the first is none.
void expect_rows(const System& system, const VectorXd& q, double t, const VectorXd& rows,
                 const std::string& what) {
  const VectorXd all = system.constraint(q, t);
  expect_close(all.tail(rows.size()), rows, what);
  ASSERT_EQ(all.size(), rows.size() + (q.size() == 24 ? 12 : 6)) << what;
  const MatrixXd G = constraint_jacobian(system, q, t);
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    VectorXd ahead = q, behind = q;
    ahead[k] += 1e-5;
    behind[k] -= 1e-5;
    const VectorXd slope = (system.constraint(ahead, t) - system.constraint(behind, t)) / 2e-5;
    EXPECT_LT((G.col(k) - slope).lpNorm<Eigen::Infinity>(), 100.0 * eps / 1e-5) << what << " " << k;
  }
}

TEST(TextJoints, RowsInSpace) {
  const auto expect = [](const std::string& kind, double t, const auto& rows) {
    const System system = system_of(with(two_bodies(), joint_of(kind)));
    const VectorXd q = anywhere(system).q;
    expect_rows(system, q, t, rows(Space(q)), kind);
  };
  expect("spherical", 0.0, [](const Space& s) { return s.D; });
  expect("revolute", 0.0, [](const Space& s) {
    return VectorXd{{s.D[0], s.D[1], s.D[2], s.i.b.dot(s.j.e), s.i.c.dot(s.j.e)}};
  });
  expect("universal", 0.0, [](const Space& s) {
    return VectorXd{{s.D[0], s.D[1], s.D[2], s.i.e.dot(s.j.e)}};
  });
  expect("cylindrical", 0.0, [](const Space& s) {
    return VectorXd{{s.i.b.dot(s.D), s.i.c.dot(s.D), s.i.b.dot(s.j.e), s.i.c.dot(s.j.e)}};
  });
  expect("prismatic", 0.0, [](const Space& s) {
    return VectorXd{{s.i.b.dot(s.D), s.i.c.dot(s.D), s.i.b.dot(s.j.e), s.i.c.dot(s.j.e), s.i.b.dot(s.j.c)}};
  });
  expect("weld", 0.0, [](const Space& s) {
    const MatrixXd S = s.R_i.transpose() * s.R_j;
    return VectorXd{{s.D[0], s.D[1], s.D[2], S(0, 1), S(1, 2), S(2, 0)}};
  });
  expect("distance", 0.7, [](const Space& s) { return VectorXd{{(s.D.dot(s.D) - 1.07 * 1.07) / 2}}; });
}

TEST(TextJoints, RowsInThePlane) {
  const auto expect = [](Joint joint, const auto& rows) {
    joint.at = {{{"0.1", "0.2"}, {"-l", "0.3"}}};
    if (joint.kind == "prismatic")
      joint.axis = {{{"3", "-4"}, {"0", "2"}}};
    else
      joint.axis = {};
    const System system = system_of(with(two_planar_bodies(), joint));
    const VectorXd q = anywhere(system).q;
    const Placed i(q, 0, 2), j(q, 6, 2);
    const VectorXd D = j.x + j.R * Vector2d(-0.8, 0.3) - i.x - i.R * Vector2d(0.1, 0.2);
    expect_rows(system, q, 0.7, rows(D, i.R, j.R), joint.kind);
  };
  expect(joint_of("revolute"), [](const auto& D, const auto&, const auto&) { return D; });
  expect(joint_of("prismatic"), [](const auto& D, const auto& R_i, const auto& R_j) {
    const Vector2d c = R_i * Vector2d(0.8, 0.6), e = R_j.col(1);
    return VectorXd{{c.dot(D), c.dot(e)}};
  });
  expect(joint_of("weld"), [](const auto& D, const auto& R_i, const auto& R_j) {
    return VectorXd{{D[0], D[1], R_i.col(0).dot(R_j.col(1))}};
  });
  expect(joint_of("distance"),
         [](const auto& D, const auto&, const auto&) { return VectorXd{{(D.dot(D) - 1.07 * 1.07) / 2}}; });
}

TEST(TextJoints, ToAGroundThatMoves) {
  Joint joint = joint_of("revolute");
  joint.between = {"ground", "load"};
  joint.at[0] = {"0.1 + sin(3*t)", "0.2*t^2", "-0.3"};
  const System system = system_of(with(two_bodies(), joint));
  EXPECT_TRUE(system.rows_move);
  const VectorXd q = anywhere(system).q;
  const double t = 0.4;
  const Space s(fixed(3), Placed(q, 12, 3), {0.1 + std::sin(3 * t), 0.2 * t * t, -0.3}, {-0.8, 0, 0.4});
  expect_rows(system, q, t, VectorXd{{s.D[0], s.D[1], s.D[2], s.i.b.dot(s.j.e), s.i.c.dot(s.j.e)}}, "ground");
  expect_close(support_rate(system, q, t).segment(12, 3), VectorXd{{-3 * std::cos(3 * t), -0.4 * t, 0}},
               "g_t");
}

/// How many ways there are to move, on the rows.
Eigen::Index freedom(const System& system, const VectorXd& q) {
  Eigen::FullPivLU<MatrixXd> lu(constraint_jacobian(system, q));
  lu.setThreshold(1e-10);
  return q.size() - lu.rank();
}

/// Both bodies not turned, such that the joint holds, with two axes that are one, or orthogonal.
TextDescription joined_by(const std::string& kind, bool planar = false) {
  TextDescription text = planar ? two_planar_bodies() : two_bodies();
  Joint joint = joint_of(kind);
  if (kind == "distance") joint.length = "1";
  const bool axis = kind != "distance" && kind != "spherical" && kind != "weld";
  if (planar) {
    joint.at = {{{"0.4", "0"}, {"-0.6", "0"}}};
    joint.axis = {};
    if (kind == "prismatic") joint.axis = {{{"3", "4"}, {"3", "4"}}};
    text.initial_position = {{"load.x", {"1", "0"}}};
    if (kind == "prismatic") text.initial_position = {{"load.x", {"1.3", "0.4"}}};
    if (kind == "distance") text.initial_position = {{"load.x", {"1", "1"}}};
  } else {
    joint.at = {{{"0.4", "0", "0.1"}, {"-0.6", "0", "0.1"}}};
    if (axis) joint.axis = {{{"1", "2", "2"}, {"1", "2", "2"}}};
    if (kind == "universal") joint.axis[1] = {"2", "-2", "1"};
    text.initial_position = {{"load.x", {"1", "0", "0"}}};
    if (kind == "prismatic" || kind == "cylindrical")
      text.initial_position = {{"load.x", {"1.1", "0.2", "0.2"}}};
    if (kind == "distance") text.initial_position = {{"load.x", {"1", "1", "0"}}};
  }
  text.joints = {joint};
  return text;
}

TEST(TextJoints, LeaveTheFreedomTheyShould) {
  const std::map<std::string, int> in_space = {{"spherical", 9},   {"revolute", 7},  {"universal", 8},
                                               {"cylindrical", 8}, {"prismatic", 7}, {"weld", 6},
                                               {"distance", 11}};
  const std::map<std::string, int> in_plane = {
      {"revolute", 4}, {"prismatic", 4}, {"weld", 3}, {"distance", 5}};
  for (const auto& [planar, kinds] : {std::pair(false, in_space), std::pair(true, in_plane)}) {
    for (const auto& [kind, left] : kinds) {
      const System system = system_of(joined_by(kind, planar));
      EXPECT_LT(system.constraint(system.initial.q).lpNorm<Eigen::Infinity>(), 64.0 * eps) << kind;
      const State s = on_rows(system);
      EXPECT_LT(system.constraint(s.q).lpNorm<Eigen::Infinity>(), 64.0 * eps) << kind;
      EXPECT_GT((s.q - system.initial.q).norm(), 0.01) << kind;
      EXPECT_EQ(freedom(system, s.q), left) << kind << planar;
    }
  }
}

/// A coordinate more, with the expression as its force, which is read off there.
TextDescription measuring(TextDescription text, const std::vector<std::string>& expressions) {
  text.coordinates = {{"meter", static_cast<int>(expressions.size()), true}};
  text.kinetic = "1/2*dot(meter', meter')";
  text.force = {{"meter", expressions}};
  return text;
}

TEST(TextJoints, RatesAreThoseOfAnglesAndPositions) {
  const auto expect = [](const std::string& kind, bool planar, const std::vector<std::string>& expressions) {
    const System system = system_of(measuring(joined_by(kind, planar), expressions));
    const State s = on_rows(system);
    const VectorXd &q = s.q, &v = s.v;
    const VectorXd values = applied_force(system, q, v, 0.0);
    const VectorXd slopes = derivative_along(
        [&](const Vector<Dual<double>>& x) {
          return system.force(x, constant<Dual<double>>(v), Dual<double>(0.0));
        },
        q, v);
    for (std::size_t k = 0; k + 1 < expressions.size(); k += 2) {
      const auto i = static_cast<Eigen::Index>(k);
      EXPECT_GT(std::abs(values[i]), 1e-3) << kind << planar << expressions[k];
      EXPECT_GT(std::abs(values[i + 1]), 1e-3) << kind << planar << expressions[k];
      EXPECT_NEAR(slopes[i], values[i + 1], 1e4 * eps) << kind << planar << expressions[k];
    }
  };
  expect("revolute", false, {"link.angle", "link.rate"});
  expect("revolute", true, {"link.angle", "link.rate"});
  expect("cylindrical", false, {"link.angle", "link.rate", "link.position", "link.speed"});
  expect("prismatic", false, {"link.position", "link.speed", "link.position", "link.rate"});
  expect("prismatic", true, {"link.position", "link.speed", "link.position", "link.rate"});
}

// The loads of a joint have its power, torque times rate and force times speed, and no resultant of their own.
TEST(TextJoints, TorqueAndForce) {
  const auto expect = [](const std::string& kind, bool planar, bool turns, bool slides) {
    TextDescription text = measuring(joined_by(kind, planar),
                                     {turns ? "link.rate" : "0", slides ? "link.speed" : "0", "0", "0"});
    text.joints[0].torque = turns ? "1.3 - 0.2*link.rate" : "";
    text.joints[0].force = slides ? "-0.7*link.position + arm.x[0] + sin(t)" : "";
    text.force[0].expressions[2] = turns ? text.joints[0].torque : "0";
    text.force[0].expressions[3] = slides ? text.joints[0].force : "0";
    const System system = system_of(text);
    const auto [q, v] = on_rows(system);
    const VectorXd F = applied_force(system, q, v, 0.3);
    const Eigen::Index d = q.size() - 4;
    EXPECT_NEAR(F.tail(d).dot(v.tail(d)), F[0] * F[2] + F[1] * F[3], 1e3 * eps) << kind << planar;
    EXPECT_GT(std::abs(F[0] * F[2]) + std::abs(F[1] * F[3]), 0.01) << kind;
    // What moves and turns both bodies together has no work of it.
    const int n = planar ? 2 : 3, size = n * (n + 1);
    EXPECT_LT((F.segment(4, n) + F.segment(4 + size, n)).norm(), 64.0 * eps);
    for (int axis = planar ? 2 : 0; axis < 3; ++axis) {
      double work = 0.0;
      for (Eigen::Index k = 4; k < q.size(); k += n) {
        Vector3d x = Vector3d::Zero(), f = Vector3d::Zero();
        x.head(n) = q.segment(k, n);
        f.head(n) = F.segment(k, n);
        work += Vector3d(Vector3d::Unit(axis).cross(x)).dot(f);
      }
      EXPECT_NEAR(work, 0.0, 1e3 * eps) << kind << planar << axis;
    }
  };
  expect("revolute", false, true, false);
  expect("revolute", true, true, false);
  expect("cylindrical", false, true, true);
  expect("prismatic", false, false, true);
  expect("prismatic", true, false, true);
}

TEST(TextJoints, TheirNamesInExpressions) {
  TextDescription text = joined_by("cylindrical");
  text.functions = {{"twice", {"a"}, {"2*a*link.position"}}};
  text.potential = "1/2*30*link.position^2 + twice(link.position)";
  text.kinetic = "1/2*0.2*link.rate^2";
  text.rayleigh = "1/2*0.3*link.speed^2";
  const System system = system_of(text);
  EXPECT_GT(system.mass_coordinates, 0);
  EXPECT_TRUE(applicable(model_of(text), "livens"));
  EXPECT_FALSE(applicable(model_of(text), "ems"));

  Names names;
  names.coordinates = {{"arm.x", true, 3, 0}};
  names.quantities = read_text(text)->quantities();
  const Observation observation(names, {"link.angle", "link.position", "arm.x'[1]"});
  const auto [q, v] = on_rows(system);
  Node node;
  node.q = q;
  node.v = v;
  node.p = v;
  const VectorXd values = observation.at(node, 0.0, {1.7, 0.3, 0.4, 0.6, 0.8});
  const System measured = system_of(measuring(joined_by("cylindrical"), {"link.angle", "link.position"}));
  VectorXd x(26), u(26);
  x << 0.0, 0.0, q;
  u << 0.0, 0.0, v;
  expect_close(values.head(2), applied_force(measured, x, u, 0.0).head(2), "observed");
  EXPECT_EQ(values[2], v[1]);
  EXPECT_NEAR(potential_energy(system, q), (15.0 + 2.0) * values[1] * values[1], 1e3 * eps);

  const auto refused = [&](const auto& change, const std::string& because) {
    TextDescription other = joined_by("cylindrical");
    change(other);
    try {
      TextSystem system(other);
      ADD_FAILURE() << "not refused: " << because;
    } catch (const std::invalid_argument& refusal) {
      EXPECT_NE(std::string(refusal.what()).find(because), std::string::npos) << refusal.what();
    }
  };
  refused([](auto& text) { text.potential = "link.rate"; }, "velocities may not be used here");
  refused([](auto& text) { text.potential = "link.angle"; }, "where, sign, atan2");
  refused([](auto& text) { text.potential = "link.position'"; }, "unexpected");
  refused([](auto& text) { text.potential = "arm.d4[0]"; }, "unknown name 'arm.d4'");
  refused([](auto& text) { text.joints[0].at[0] = {"t", "0", "0"}; }, "time may not be used");
  refused([](auto& text) { text.joints[0].length = "1"; }, "a key that a joint of its kind");
  refused([](auto& text) { text.joints[0].between[1] = "arm"; }, "the bodies are one");
  refused([](auto& text) { text.bodies[1].name = "ground"; }, "reserved, taken");
  refused([](auto& text) { text.initial_position.push_back({"load.d1", {"1", "0", "0"}}); }, "not all of");
}

// A pendulum of one body that is turned evenly: nothing is left to it, and W is what gravity takes.
TEST(TextJoints, APrescribedAngleIsTaken) {
  TextDescription text;
  text.name = "driven";
  text.parameters = {{"w", {1.7}}};
  text.bodies = {{"arm", "1.3", {"0.1", "0.2", "0.25"}}};
  Joint joint{"motor", "revolute", {"ground", "arm"}, {{{"0", "0", "0"}, {"-0.5", "0", "0"}}}};
  joint.axis = {{{"0", "0", "1"}, {"0", "0", "1"}}};
  joint.angle = "w*t";
  text.joints = {joint};
  text.potential = "1.3*9.81*arm.x[1]";
  text.initial_position = {{"arm.x", {"0.5", "0", "0"}}};
  text.initial_velocity = {{"arm.x", {"0", "0.5*w", "0"}}, {"arm.omega", {"0", "0", "w"}}};
  const Model model = model_of(text);
  for (const std::string scheme : {"ems", "rattle"}) {
    const Node node = run(model, {scheme, 0.02}, default_state(model), 25).back();
    const double c = std::cos(0.85), s = std::sin(0.85);
    const VectorXd exact{{0.5 * c, 0.5 * s, 0, c, s, 0, -s, c, 0, 0, 0, 1}};
    EXPECT_LT((node.q - exact).lpNorm<Eigen::Infinity>(), 25 * 64.0 * eps) << scheme;
    if (scheme != "ems") continue;
    EXPECT_NEAR(node.work, node.energy - 0.5 * (1.3 * 0.25 + 0.25) * 1.7 * 1.7, 25 * 64.0 * eps * 10.0);
    EXPECT_NEAR(node.energy, 0.5 * (1.3 * 0.25 + 0.25) * 1.7 * 1.7 + 1.3 * 9.81 * 0.5 * s,
                25 * 64.0 * eps * 10.0 / 0.02);
  }
  text.joints[0].kind = "cylindrical";
  text.joints[0].angle = "0.3";
  text.joints[0].position = "0.2*t";
  const System system = system_of(text);
  const VectorXd q = anywhere(system).q;
  const Placed arm(q, 0, 3);
  const VectorXd D = arm.x - 0.5 * arm.R.col(0);
  const double angle = std::cos(0.3) * arm.R(1, 0) - std::sin(0.3) * arm.R(0, 0);
  expect_close(system.constraint(q, 0.5).tail(6),
               VectorXd{{D[0], D[1], arm.R(0, 2), arm.R(1, 2), angle, D[2] - 0.1}}, "angle, then position");
}

// The double four-bar of reference/systems by planar bodies and revolute joints.
TEST(TextJoints, PlanarBodiesAreTheDoubleFourBar) {
  const Model built_in = general_model("double_four_bar");
  TextDescription text = as_text("double_four_bar");
  text.kinetic = text.rayleigh = "";
  text.coordinates = {};
  text.constraints = {};
  text.potential = "";
  text.initial_position = {};
  text.initial_velocity = {};
  for (int k = 1; k <= 5; ++k) {
    const std::string name = "b" + std::to_string(k);
    const bool bar = k <= 3;
    text.bodies.push_back({name, "mass", {"mass*length^2/12"}, true});
    text.potential += (k == 1 ? "" : " + ") + ("mass*gravity*" + name) + ".x[1]";
    const std::string x = std::to_string(bar ? k - 1.0 : k - 3.5) + "*length";
    text.initial_position.push_back({name + ".x", {x, bar ? "length/2" : "length"}});
    text.initial_velocity.push_back({name + ".x", {bar ? "velocity/2" : "velocity", "0"}});
    if (!bar) continue;
    text.initial_position.push_back({name + ".rotation", {"pi/2"}});
    text.initial_velocity.push_back({name + ".omega", {"-velocity/length"}});
    text.joints.push_back(
        {"g" + std::to_string(k), "revolute", {"ground", name}, {{{x, "0"}, {"-length/2", "0"}}}});
  }
  const auto pin = [&](const std::string& name, const std::string& i, const std::string& end_i,
                       const std::string& j, const std::string& end_j) {
    text.joints.push_back(
        {name, "revolute", {i, j}, {{{end_i + "length/2", "0"}, {end_j + "length/2", "0"}}}});
  };
  pin("p1", "b1", "", "b4", "-");
  pin("p2", "b2", "", "b4", "");
  pin("p3", "b2", "", "b5", "-");
  pin("p4", "b3", "", "b5", "");
  const Model model = model_of(text);
  const State initial = default_state(built_in);
  expect_close(default_state(model).q, initial.q, "q");
  expect_close(default_state(model).v, initial.v, "v");
  const Options options{"ems", 0.01};
  Integrator a(model, options, initial), b(built_in, options, initial);
  for (int n = 0; n < 5; ++n) {
    a.advance();
    b.advance();
  }
  const double round_off = 64.0 * eps * 5 * growth(built_in, options, initial, 5) * b.condition();
  EXPECT_LT((a.node().q - b.node().q).lpNorm<Eigen::Infinity>(), round_off);
  EXPECT_LT(round_off, 1e-6);
}

/// Cranks side by side, and a coupler that all of them turn.
TextDescription parallel_cranks(int count, const std::string& angle) {
  TextDescription text;
  text.name = "cranks";
  text.parameters = {{"start", {0.0}}};
  const auto crank = [](int k) { return "crank" + std::to_string(k); };
  for (int k = 0; k < count; ++k) {
    const std::string at = std::to_string(k);
    text.bodies.push_back({crank(k), "1", {"0.1"}, true});
    text.initial_position.push_back(
        {crank(k) + ".x", {at + " + 0.5*cos(" + angle + ")", "0.5*sin(" + angle + ")"}});
    text.initial_position.push_back({crank(k) + ".rotation", {angle}});
    text.initial_velocity.push_back({crank(k) + ".x", {"-0.5*sin(" + angle + ")", "0.5*cos(" + angle + ")"}});
    text.initial_velocity.push_back({crank(k) + ".omega", {"1"}});
    text.joints.push_back({"pivot" + at, "revolute", {"ground", crank(k)}, {{{at, "0"}, {"-0.5", "0"}}}});
  }
  text.bodies.push_back({"coupler", "2", {"0.7"}, true});
  text.initial_position.push_back({"coupler.x", {"cos(" + angle + ")", "sin(" + angle + ")"}});
  text.initial_velocity.push_back({"coupler.x", {"-sin(" + angle + ")", "cos(" + angle + ")"}});
  for (int k = 0; k < count; ++k) {
    const std::string at = std::to_string(k);
    text.joints.push_back({"pin" + at, "revolute", {crank(k), "coupler"}, {{{"0.5", "0"}, {at, "0"}}}});
  }
  return text;
}

TEST(RedundantRows, OfAThirdCrankAreDropped) {
  TextDescription text = parallel_cranks(3, "0.9");
  EXPECT_THROW(read_text(text), std::invalid_argument);
  text.drop_redundant = true;
  const Model model = model_of(text);
  const System system = make_system(model);
  EXPECT_EQ(position_constraint_count(system), 23);
  EXPECT_EQ(system.redundant(system.initial.q).size(), 1);
  EXPECT_EQ(freedom(system, system.initial.q), 1);
  for (const std::string scheme : {"ems", "rattle"}) {
    const std::vector<Node> nodes = run(model, {scheme, 0.02}, default_state(model), 25);
    for (const Node& node : nodes) {
      // g of the rows that are kept, times what the one that is dropped is made of them by.
      EXPECT_LT(node.redundant_constraints, 100 * 64.0 * eps) << scheme;
      EXPECT_EQ(node.constraints.size(), 23);
    }
    // The coupler and the centres go in circles, in free motion evenly.
    EXPECT_NEAR(std::atan2(nodes.back().q[19], nodes.back().q[18]), 0.9 + 0.5, 1e-4) << scheme;
  }
}

// A flat linkage has a row too many where it is flat, and not elsewhere.
TEST(RedundantRows, OfAFlatLinkageAreKept) {
  const System flat = system_of(parallel_cranks(2, "start"));
  EXPECT_EQ(position_constraint_count(flat), 17);
  EXPECT_EQ(freedom(flat, flat.initial.q), 2);
  // Driven, it leaves the flat position by the time alone.
  TextDescription driven = parallel_cranks(2, "start");
  driven.joints[0].angle = "t";
  EXPECT_EQ(position_constraint_count(system_of(driven)), 18);
}

// In space four parallel axes have three rows too many.
TEST(RedundantRows, OfAFourBarInSpace) {
  TextDescription text = parallel_cranks(2, "0.9");
  const std::vector<std::string> axis = {"0", "0", "1"};
  for (auto& body : text.bodies) {
    body.planar = false;
    body.inertia = {"0.2", "0.3", "0.4"};
  }
  for (Joint& joint : text.joints) {
    joint.at[0].push_back("0");
    joint.at[1].push_back("0");
    joint.axis = {axis, axis};
  }
  for (auto* all : {&text.initial_position, &text.initial_velocity}) {
    for (auto& [coordinate, expressions] : *all) {
      if (expressions.size() == 2)
        expressions.push_back("0");
      else
        expressions.insert(expressions.begin(), {"0", "0"});
    }
  }
  text.drop_redundant = true;
  const Model model = model_of(text);
  const System system = make_system(model);
  EXPECT_EQ(position_constraint_count(system), 18 + 20 - 3);
  EXPECT_EQ(system.redundant(system.initial.q).size(), 3);
  EXPECT_EQ(freedom(system, system.initial.q), 1);
  for (const Node& node : run(model, {"ems", 0.02}, default_state(model), 10))
    EXPECT_LT(node.redundant_constraints, 100 * 64.0 * eps);
}

// Without bodies, too: the second of two equal rows, and a row that other names have dots in.
TEST(RedundantRows, OfATextWithoutBodies) {
  TextDescription text;
  text.name = "bead";
  text.coordinates = {{"bead.x", 2}};
  text.kinetic = "1/2*dot(bead.x', bead.x')";
  text.constraints = {"(dot(bead.x, bead.x) - 1)/2", "norm(bead.x) - 1", "bead.x[0] - 0.6"};
  text.initial_position = {{"bead.x", {"0.6", "0.8"}}};
  text.drop_redundant = true;
  const System system = system_of(text);
  EXPECT_EQ(position_constraint_count(system), 2);
  const VectorXd q{{0.5, 0.9}};
  expect_close(system.redundant(q), VectorXd{{q.norm() - 1.0}}, "dropped");
  expect_close(system.constraint(q), VectorXd{{(q.dot(q) - 1.0) / 2.0, -0.1}}, "kept");
}

// The first row has no gradient at the start, and everywhere else that of the second.
TEST(RedundantRows, OfASingularStartAreThoseNearby) {
  TextDescription text;
  text.name = "bead";
  text.coordinates = {{"x"}, {"y"}};
  text.kinetic = "1/2*(x'^2 + y'^2)";
  text.constraints = {"(x - 1)*y", "x - 1"};
  text.initial_position = {{"x", {"1"}}};
  EXPECT_THROW(read_text(text), std::invalid_argument);
  text.drop_redundant = true;
  EXPECT_EQ(position_constraint_count(system_of(text)), 1);
  text.constraints = {};
  text.nonholonomic = {"x' - y'", "2*(x' - y')"};
  EXPECT_THROW(read_text(text), std::invalid_argument);
}

}  // namespace
}  // namespace livens::reference
