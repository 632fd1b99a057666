import { clientEnvironment } from './client-environment.ts';
import { runInitHooks } from './init-hooks.ts';
import type { RunningServer } from './server.ts';

/**
 * Runs the scripts of `--init` against an emulator that listens.
 * @throws Failure where the directory cannot be read and, with `--init-strict`, where a script fails; the emulator is closed then
 */
export async function runHooks({ emulator, config, log, url }: RunningServer): Promise<void> {
  const { values, region } = config.settings;
  if (values.EMULATOR_INIT_DIR === undefined) return;
  try {
    const env = await clientEnvironment({ url, region, verifies: values.EMULATOR_VERIFY_SIGV4 });
    await runInitHooks({ directory: values.EMULATOR_INIT_DIR, strict: values.EMULATOR_INIT_STRICT, env, log });
  } catch (error) {
    await emulator.close();
    throw error;
  }
}
