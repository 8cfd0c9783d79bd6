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
      throw SpecError(complaint.message);
    case exit_file:
      throw ResultError(complaint.message);
    case exit_interrupted:
      throw Cancelled(complaint.message);
    default:
      throw Error(complaint.status, complaint.message);
  }
}

}  // namespace

void throw_as_error() {
  Complaint complaint{fault, "livens failed in a way that it has no words for"};
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
      complaint.message = printable(unexpected.what());
    } catch (...) {
    }
  }
  throw_complaint(complaint);
}

}  // namespace livens::host
