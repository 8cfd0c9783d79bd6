#include "ensembles/thread.hpp"

#include <sys/resource.h>

#include <string>
#include <system_error>

namespace livens::ensembles {
namespace {

void* run(void* body) {
  (*static_cast<std::function<void()>*>(body))();
  return nullptr;
}

}  // namespace

Thread::Thread(std::function<void()> body) : body_(std::move(body)) {
  pthread_attr_t attributes;
  int problem = pthread_attr_init(&attributes);
  if (problem == 0) {
    problem = pthread_attr_setstacksize(&attributes, thread_stack);
    if (problem == 0) problem = pthread_create(&handle_, &attributes, run, &body_);
    pthread_attr_destroy(&attributes);
  }
  if (problem != 0)
    throw std::system_error(problem, std::generic_category(),
                            "a thread with a stack of " + std::to_string(thread_stack >> 20) +
                                " MiB cannot be started; expected fewer --threads, or more memory");
}

Thread::~Thread() { pthread_join(handle_, nullptr); }

void with_thread_stack(const std::function<void()>& body) {
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= thread_stack) {
    body();
  } else {
    const Thread thread(body);
  }
}

}  // namespace livens::ensembles
