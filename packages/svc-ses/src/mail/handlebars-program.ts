import type { RunProgram } from '@emu/core/programs';
import type { HandlebarsInput, HandlebarsOutput } from './handlebars.ts';

export const url = import.meta.url;

export async function load(): Promise<RunProgram<HandlebarsInput, HandlebarsOutput>> {
  const { runHandlebars } = await import('./handlebars.ts');
  return runHandlebars;
}
