#pragma once
// The standard streams and the files as a program finds them that others have started.

namespace livens::host {

/// Gives every standard stream that is closed a place: else the next file that is opened would be that
/// stream, and messages would be written into it. Reading or writing a stream of this kind still fails.
void occupy_standard_streams();

/// Lets a write to a pipe that nobody reads, or beyond the limit on a file's size, fail like one to a full
/// disk, in place of ending the program.
void report_failed_writes();

/// True where whoever read the standard output has gone, as `head` does when it has enough.
bool nobody_reads();
/// Ends the program in silence, as one that SIGPIPE ends.
[[noreturn]] void end_unread();

}  // namespace livens::host
