import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { temporaryDirectory } from './emu.ts';
import { canRun, type Outcome, proxiedEnvironment, run } from './programs.ts';

/** Directory of the providers. */
export const plugins = process.env.EMU_TF_PLUGINS ?? '/opt/tf-plugins';

/** Reason why Terraform cannot be run here; undefined if it can. */
export const noTerraform: string | undefined = !canRun('terraform', 'version')
  ? 'there is no `terraform` on this machine'
  : !existsSync(plugins)
    ? `there are no providers in ${plugins}; EMU_TF_PLUGINS names another folder`
    : undefined;

/** Concurrent operations on resources: the provider mostly waits. */
const PARALLELISM = '-parallelism=30';

/** A configuration in its own directory, whose provider uses the emulator in the variable `endpoint`. */
export interface Terraform extends Disposable {
  /** Path of the directory. */
  readonly path: string;
  /** Runs a command, successful or not. */
  run(...args: string[]): Promise<Outcome>;
  /** Runs a command that must succeed. @returns its output */
  succeed(...args: string[]): Promise<string>;
  /** Returns the value of an output of the last `apply`. */
  output(name: string): unknown;
  /** Sets a variable of the configuration, for the commands that follow. */
  assign(variable: string, value: string): void;
  /** Installs the providers and applies the configuration. */
  apply(): Promise<void>;
  /** Plans again and expects no changes. */
  planNothing(): Promise<void>;
  /** Destroys everything, without reading it first: `planNothing` has done so. */
  destroy(): Promise<void>;
}

/**
 * Copies a configuration to a temporary directory.
 * @param name of its directory in this package
 * @param url of the emulator
 * @param variables of the configuration, besides `endpoint`
 */
export function terraformAt(name: string, url: string, variables: Readonly<Record<string, string>> = {}): Terraform {
  const directory = temporaryDirectory();
  cpSync(fileURLToPath(new URL(`../${name}/`, import.meta.url)), directory.path, { recursive: true });
  const env: Record<string, string | undefined> = {
    ...proxiedEnvironment(url),
    TF_VAR_endpoint: url,
    ...Object.fromEntries(Object.entries(variables).map(([variable, value]) => [`TF_VAR_${variable}`, value])),
    TF_CLI_CONFIG_FILE: undefined,
    TF_IN_AUTOMATION: '1',
    CHECKPOINT_DISABLE: '1',
    // A quarter of the provider's CPU time is garbage collection at Go's default of 100.
    GOGC: '400',
  };
  const terraform = (...args: string[]): Promise<Outcome> =>
    run('terraform', [...args, '-no-color'], { cwd: directory.path, env });
  const succeed = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await terraform(...args);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  let outputs: Record<string, { readonly value: unknown }> = {};
  return {
    path: directory.path,
    run: terraform,
    succeed,
    output: (output) => outputs[output]!.value,
    assign: (variable, value) => {
      env[`TF_VAR_${variable}`] = value;
    },
    apply: async () => {
      await succeed('init', `-plugin-dir=${plugins}`, '-input=false');
      await succeed('apply', '-auto-approve', '-input=false', PARALLELISM);
      outputs = JSON.parse(await succeed('output', '-json')) as typeof outputs;
    },
    planNothing: async () => {
      const plan = await terraform('plan', '-detailed-exitcode', '-input=false');
      expect(plan.code, plan.stdout + plan.stderr).toBe(0);
    },
    destroy: async () => {
      await succeed('destroy', '-auto-approve', '-input=false', '-refresh=false', PARALLELISM);
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}
