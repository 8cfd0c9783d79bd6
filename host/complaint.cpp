#include "host/complaint.hpp"

#include <new>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "ensembles/backend.hpp"
#include "expressions/text_system.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

std::string printable_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (!result.empty()) result += '\n';
    result += shortened(printable(line));
  }
  return result;
}

Complaint complain(ExitStatus status, const std::string& message) {
  return {status, shortened(printable(message))};
}

}  // namespace

Complaint complaint_about(std::exception_ptr problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const RequestErrors& errors) {
    return {exit_bad_request, printable_lines(errors.what())};
  } catch (const RequestError& error) {
    return complain(exit_bad_request, error.what());
  } catch (const TextError& error) {
    return {exit_bad_request, printable_lines(error.what())};  // with the place in the text under it
  } catch (const std::invalid_argument& error) {
    return complain(exit_bad_request, error.what());
  } catch (const std::bad_alloc&) {
    return complain(exit_bad_request, "not enough memory for an ensemble of this size");
  } catch (const FileError& error) {
    return complain(exit_file, error.what());
  } catch (const std::system_error& error) {
    return complain(exit_file, error.what());
  } catch (const ensembles::BackendFailure& error) {
    return complain(exit_file, error.what());
  } catch (const Interrupted& error) {
    return complain(exit_interrupted, error.what());
  }
}

}  // namespace livens::host
