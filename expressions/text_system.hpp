#pragma once
// A system written as text, read and checked: what it is called, what it depends on, which schemes can run
// it, and the C++ header that makes it one of kernels/systems. Nothing here compiles or steps anything.

#include <toml++/toml.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expressions/refusal.hpp"
#include "kernels/description/interface.hpp"

namespace livens {

namespace expressions {
struct Mechanics;
}

/// A coordinate by its name: entries [first, first + count) of q. A vector of one entry is indexed, too.
struct TextCoordinate {
  std::string name;
  int first, count;
  bool is_vector;
  std::string unit = {};  ///< SI; empty where the text does not say it
  bool operator==(const TextCoordinate&) const = default;
};

/// What a mechanism is in vectors alone (kernels/systems/shared/vector_form.hpp); most are nothing of it.
struct VectorFacts {
  int dimension = 0, drifting = 0, free = 0, unit = 0, frames = 0, springs = 0;
  bool coupled = false;         ///< by their inertias, their drag or the metric of the coordinates
  bool coupled_metric = false;  ///< by this
  bool tied = false;            ///< one frame with a point on its third director (TiedFrameSystem)
  /// Particles, rods and springs (expressions/particles.hpp).
  bool are_particles() const { return dimension == 3 && frames == 0 && !coupled; }
  /// Unit vectors in space that their inertias couple.
  bool are_coupled_rods() const { return dimension == 3 && frames == 0 && coupled; }
  int freedoms() const { return dimension * free + (dimension - 1) * unit + 3 * frames; }
  int size() const { return dimension * (drifting + free + unit + 3 * frames); }
};

/// The properties from which it follows what runs.
struct TextFacts {
  int coordinates = 0;        ///< d
  int constraints = 0;        ///< m, rows of g(q) = 0 or of A(q) v + b(q) = 0
  int momentum_maps = 0;      ///< s
  bool nonholonomic = false;  ///< the rows are A(q) v + b(q) = 0
  bool chaplygin = false;     ///< and A = (1 | B), where A and b do not depend on the first m coordinates
  bool quadratic_constraints = true;  ///< D^2 g does not depend on q
  bool constant_mass = false;         ///< M does not depend on q
  bool diagonal_mass = false;
  bool singular_mass = false;     ///< M has no inverse, at the default parameters
  bool linear_potential = false;  ///< DV is constant
  bool damped = false;            ///< there is a dissipation function
  bool forced = false;            ///< there are forces
  int velocity_rows = 0;          ///< of the constraints, rows A v + b
  bool contact_damping = false;   ///< there is alpha of L = T - V - alpha z
  int impacts = 0;                ///< walls, gap(q, t) >= 0
  VectorFacts vectors;
  /// There are terms that forms for any mechanism alone take (equations/general.md): velocities to the first
  /// power in T, time, forces of the state, dissipation that is not 1/2 v.C v, rows of both kinds, an M that depends on q
  /// or has no inverse where there are no rows of velocities.
  bool general = false;
  /// The class has what these forms take.
  bool has_general_terms() const {
    return general || (nonholonomic ? !contact_damping : forced || !quadratic_constraints);
  }
};

class TextSystem {
 public:
  /// Names, parameters (in the order in which they are declared) and counts as the program shows them. The
  /// pointers live as long as this object or a copy of it. The info that is compiled into header() has the
  /// same numbers, and generated names in place of those of the user.
  const SystemInfo& info() const;
  const std::string& name() const;
  const TextFacts& facts() const;
  const std::vector<TextCoordinate>& coordinates() const;
  /// Of the rows of a text with bodies, "crank[0]", "hinge[1]", "constraints[0]", by what they are of; empty without.
  const std::vector<std::string>& row_names() const;
  /// The capabilities that the class in header() will have.
  Capabilities capabilities() const;
  /// True where the form of the scheme is one for any mechanism (kernels/forms/general).
  bool needs_general_form(const SchemeInfo& scheme) const;
  /// False where there is no viscous damping whatever the parameters are, but that some entries are zero: `set` marks
  /// those that need not be.
  bool may_damp(const std::vector<bool>& set) const;
  /// Empty where the scheme runs this system; else what is missing, in a sentence that goes on after
  /// "SCHEME does not run SYSTEM: ".
  std::string why_not(const SchemeInfo& scheme) const;

  /// `parameters`: the values of all scalar parameters, flattened in the order of info(), of which NaN follows from others.
  void complete(std::vector<double>& parameters) const;
  /// q and v at the start.
  std::vector<double> initial_position(std::span<const double> parameters) const;
  std::vector<double> initial_velocity(std::span<const double> parameters) const;

  /// A self-contained C++ text: includes of kernels/ and one class template livens::class_name()<Scalar> in
  /// the inline namespace of the instruction set, as in kernels/systems. No character of the user's is in it.
  /// The same text gives the same header, to the byte.
  const std::string& header() const;
  /// The same with the words of info() in it, as the system of livens that has this name and this class, of whose discrete
  /// gradients the one along the text is one to choose. `beside`:
  /// "kernels/systems/beside_text/NAME.hpp" or empty, a header for what the text cannot say, whose class has the one of
  /// the text, CLASSText, for its base.
  std::string built_in_header(const std::string& name, const std::string& class_name,
                              const std::string& beside) const;
  /// A C++ identifier, different for different texts.
  const std::string& class_name() const;
  /// The system as text, which reads back as this system: every key and expression as it was typed, in the
  /// order of declaration, without comments. It is what a result keeps, and what a cache goes by.
  const std::string& identity() const;
  /// What the system evaluates of its own at a node, SystemInfo::sampled, as expressions over its names.
  const std::vector<std::string>& own_expressions() const;
  /// The same system as a text without bodies and joints; empty where it has none.
  const std::string& expansion() const;
  /// Where the text says which scheme is taken where none is named; null where it does not.
  const Place* place_of_standard() const;
  /// What looks wrong but can be run, such as a momentum map that is not conserved.
  const std::vector<std::string>& warnings() const;
  /// A warning for every parameter that neither the text uses nor these expressions, which are over its names.
  std::vector<std::string> unused(std::span<const std::string> observed) const;
  /// What the expressions say, as nodes of a graph.
  const expressions::Mechanics& mechanics() const;

  struct Content;
  explicit TextSystem(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

 private:
  std::shared_ptr<const Content> content_;
};

/// Two columns of numbers from a file that a text names, as it is typed there. The library reads no files: who
/// does finds the file, and keeps of it what there is to keep.
using Columns = std::pair<std::vector<double>, std::vector<double>>;
using ColumnReader = std::function<Columns(const std::string& file, const std::array<std::string, 2>& names)>;

/// Largest texts that are read: a million characters in all.
inline constexpr std::size_t longest_text = 1000000;

/// Reads a system from the text of a file; `source` is what messages call it. Without a reader of columns
/// tables from files are refused. Throws RequestError, also where the text is no TOML:
///   typo.toml:3: potential: unknown name 'gravty'; did you mean 'gravity'?
///     bob*gravty*y
///         ^
TextSystem read_text_system(std::string_view text, const std::string& source,
                            const ColumnReader& columns = {});
/// The same from the table [system.text] of a document that was parsed from `source`; messages name its
/// lines.
TextSystem read_text_system(const toml::table& table, const std::string& source,
                            const ColumnReader& columns = {});

}  // namespace livens
