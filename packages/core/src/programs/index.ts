export { createIds } from '../base/ids.ts';
export { ProgramLimitError } from './limit-error.ts';
export type { ProgramModule, RunProgram } from './messages.ts';
export { Program } from './program.ts';
