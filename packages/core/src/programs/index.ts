export { createIds } from '../base/ids.ts';
export type { ProgramModule, RunProgram } from './messages.ts';
export { ProgramLimitError } from './process.ts';
export { Program } from './program.ts';
