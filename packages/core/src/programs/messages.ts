/** A module with a program. It must be reached through `import()` only, so that bundles keep it in a file of its own. */
export interface ProgramModule<Input, Output> {
  /** Address of the module: its `import.meta.url`. */
  readonly url: string;
  /** Loads the library of the program, in the process that runs it. */
  readonly load: () => Promise<RunProgram<Input, Output>>;
}

/** Runs a program. Input and output cross processes by structured clone. */
export type RunProgram<Input, Output> = (input: Input) => Output | Promise<Output>;

/** Message to a program process: loads a module, or runs its program. */
export type ToHost = { readonly load: string } | { readonly run: string; readonly input: unknown };

/** Message of a program process: the module is loaded, the program has returned, or one of them has thrown. */
export type FromHost = { readonly loaded: true } | { readonly output: unknown } | { readonly error: string };
