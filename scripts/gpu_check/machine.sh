#!/bin/sh
# The machine around the device: system, processors, memory and tools. Exit status 77 without a driver.
uname -a
ldd --version 2>&1 | head -n 1
echo "$(nproc) processors"
free -g
for tool in nvcc ncu compute-sanitizer cmake c++; do echo "$tool: $(command -v $tool || echo missing)"; done
command -v nvidia-smi >/dev/null || { echo "could not run: no nvidia-smi"; exit 77; }
nvidia-smi
