#include "host/complaint.hpp"

#include <new>
#include <stdexcept>
#include <system_error>

#include "ensembles/backend.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

Complaint complain(ExitStatus status, std::vector<Mistake> mistakes) {
  for (Mistake& mistake : mistakes)
    for (std::string* field : {&mistake.file, &mistake.key, &mistake.problem, &mistake.expected,
                               &mistake.suggestion, &mistake.excerpt})
      *field = shortened(printable(*field));
  return {status, std::move(mistakes)};
}

Complaint complain(ExitStatus status, const char* problem) {
  return complain(status, std::vector{Mistake{{}, problem}});
}

}  // namespace

Complaint complaint_about(std::exception_ptr problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const RequestError& error) {
    return complain(exit_bad_request, error.mistakes);
  } catch (const std::invalid_argument& error) {
    return complain(exit_bad_request, error.what());
  } catch (const std::bad_alloc&) {
    return complain(exit_bad_request, "not enough memory for an ensemble of this size");
  } catch (const FileError& error) {
    return complain(exit_file, {error.mistake});
  } catch (const std::system_error& error) {
    return complain(exit_file, error.what());
  } catch (const ensembles::BackendFailure& error) {
    return complain(exit_file, error.what());
  } catch (const Interrupted& error) {
    return complain(exit_interrupted, error.what());
  }
}

}  // namespace livens::host
