import { existsSync, readFileSync } from 'node:fs';
import { type Config, resolveConfig, type SettingsFile } from '@emu/core';
import { DECLARED_OPTIONS } from '@emu/emulator';
import type { Flags } from './argv.ts';
import { Failure } from './failure.ts';

/** Settings file in the working directory. */
export const CONFIG_FILE = 'emu.toml';

/**
 * Resolves settings from flags, variables and the settings file.
 * @param env environment variables; empty ones count as absent
 * @param services names of existing services
 * @throws ConfigError for invalid settings
 * @throws Failure if the file cannot be read
 */
export async function configOf(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
  services?: readonly string[],
): Promise<Config> {
  const named = flags.config ?? env.EMULATOR_CONFIG;
  const file = named || existsSync(CONFIG_FILE) ? await readSettings(String(named || CONFIG_FILE)) : undefined;
  return resolveConfig({ flags, env, options: DECLARED_OPTIONS, ...(file && { file }), ...(services && { services }) });
}

/** @throws Failure for a missing file, invalid TOML, or values of wrong types */
async function readSettings(name: string): Promise<SettingsFile> {
  // Loaded only if the file exists.
  const { default: toml } = await import('@iarna/toml');
  let content: Record<string, unknown>;
  try {
    content = toml.parse(readFileSync(name, 'utf8'));
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new Failure(`${name} cannot be read: ${reason}.`);
  }
  const settings = Object.entries(content).map(([key, value]) => [key, textOf(name, key, value)] as const);
  return { name, settings: Object.fromEntries(settings) };
}

function textOf(file: string, key: string, value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return String(value);
  throw new Failure(`${file}: ${key} must be a string, a number, true or false, or a list of strings.`);
}
