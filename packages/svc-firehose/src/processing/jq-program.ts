import type { RunProgram } from '@emu/core/programs';
import type { JqInput, JqOutput } from './jq.ts';

export const url = import.meta.url;

export async function load(): Promise<RunProgram<JqInput, JqOutput>> {
  const { runJq } = await import('./jq.ts');
  return runJq;
}
