#pragma once
// A certificate of a text's motion: values at five times, computed by two programs that share the page
// docs/equations/text.md alone, each with two tolerances, and how far they are certain (docs/problems).

#include <string>
#include <vector>

#include "expressions/text_system.hpp"

namespace livens::host {

/// One kind of values (q, v, lambda, energy) at the five times.
struct CertifiedValues {
  std::vector<std::vector<double>> values;
  std::vector<double> spread;  ///< largest difference of two computations, of any entry
  std::vector<double> error;   ///< the claim: no entry is farther from the truth

  /// Of the largest entry, those that are certain at each time; of no entries none is lacking.
  int digits() const;
};

struct Certificate {
  static constexpr int times_count = 5, format = 1;
  static constexpr double tolerances[2] = {1e-16, 1e-15};       ///< of `taylor`
  static constexpr double long_tolerances[2] = {1e-17, 1e-16};  ///< of the extrapolation

  std::string name, text, version;
  std::vector<std::string> coordinates;  ///< "u[0]"
  double end;                            ///< s
  std::vector<double> times;
  CertifiedValues start_q, start_v;  ///< at t = 0, of one time
  CertifiedValues q, v, lambda, energy;
  std::vector<double> growth;  ///< norm of the tangent map from the start to each time
  int long_bits;               ///< of the extrapolation's numbers

  /// The fewest of q and v.
  int digits() const;
};

/// Throws RequestError where the text cannot be certified, with the reason and, where it is of one, the key.
Certificate certificate_of(const TextSystem& text, double end);

std::string certificate_json(const Certificate& certificate);
/// Throws RequestError, naming `source`, for what is none.
Certificate read_certificate(const std::string& json, const std::string& source);

/// Where a certificate claims what another one of the same text, made anew, denies: a value that is farther
/// away than the error it claims, or an error that is less than half of the spread that was found.
std::vector<std::string> denials(const Certificate& claimed, const Certificate& anew);

}  // namespace livens::host
