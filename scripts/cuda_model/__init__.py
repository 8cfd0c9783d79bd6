"""The CUDA kernels as compiled: their share of a GPU, read from the compiler's report and from machine code.

    names.py      system, scheme and form that a kernel runs
    resources.py  registers, stack, shared memory, spills, as ptxas and cuobjdump tell them
    sass.py       machine code as instructions
    graph.py      instructions as basic blocks, loops and subroutines
    detours.py    branches that are not on the hot path
    trips.py      how often a loop turns
    hot_path.py   how often a step runs each block
    counts.py     instructions that a step executes, and those in its loop
    bounds.py     the multiprocessor, and how fast a step can be on it: a model
    pairs.py      all of that for the kernels of a build
    budget.py     limits of every kernel, and sentences about what exceeds them
    table.py      the tables of docs/performance.md
"""
