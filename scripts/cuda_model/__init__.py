"""What the compiled CUDA kernels take of a GPU, read from the compiler's report and from machine code.

    names.py      what a kernel runs: system, scheme, form
    resources.py  registers, stack, shared memory, spills, as ptxas and cuobjdump tell them
    sass.py       machine code as instructions
    graph.py      instructions as basic blocks, loops and subroutines
    hot_path.py   how often a step runs each block
    counts.py     what a step executes, and what stands in its loop
    bounds.py     the multiprocessor, and how fast a step can be on it: a model
    pairs.py      all of that for the kernels of a build
    budget.py     what a kernel may take, and what takes more
    table.py      the tables of docs/performance.md
"""
