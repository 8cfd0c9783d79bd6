#include "host/library/boundary.hpp"

#include "ensembles/backend.hpp"
#include "host/complaint.hpp"
#include "host/errors.hpp"
#include "host/livens.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

constexpr int fault = 255;

[[noreturn]] void throw_complaint(const Complaint& complaint) {
  switch (complaint.status) {
    case exit_bad_request:
      throw SpecError(complaint.mistakes);
    case exit_file:
      throw ResultError(printed(complaint.mistakes));
    case exit_interrupted:
      throw Cancelled(printed(complaint.mistakes));
    default:
      throw Error(complaint.status, printed(complaint.mistakes));
  }
}

}  // namespace

void throw_as_error() {
  Complaint complaint{fault, {{{}, "internal error, please report"}}};
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const CallbackFailure& failure) {
    std::rethrow_exception(failure.thrown);
  } catch (const ensembles::BackendFailure& failure) {
    throw DeviceError(printable(failure.what()));
  } catch (...) {
    try {
      complaint = complaint_about(std::current_exception());
    } catch (const std::exception& unexpected) {
      complaint.mistakes.front().problem = printable(unexpected.what());
    } catch (...) {
    }
  }
  throw_complaint(complaint);
}

}  // namespace livens::host
