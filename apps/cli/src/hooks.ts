import type { Config } from '@emu/core';
import type { Logger } from '@emu/core/service';
import { clientEnvironment } from './client-environment.ts';
import { InitHooks } from './init-hooks.ts';

/** Runs the scripts of `--init` during the life of an emulator. */
export class HookRunner {
  private constructor(
    private readonly hooks: InitHooks,
    private readonly config: Config,
    private readonly log: Logger,
  ) {}

  /** @throws Failure if a directory cannot be read */
  static async of(config: Config, log: Logger): Promise<HookRunner> {
    const { EMULATOR_INIT_DIR: directories, EMULATOR_INIT_STRICT: strict } = config.settings.values;
    return new HookRunner(await InitHooks.of(directories, strict, log), config, log);
  }

  /** Results of the scripts. */
  report = (): ReturnType<InitHooks['report']> => this.hooks.report();

  /** Runs before the emulator exists. @throws Failure if a script fails with `--init-strict` */
  boot(): Promise<void> {
    return this.hooks.run('boot', process.env);
  }

  /** Runs after it listens. @throws Failure as `boot` does */
  async prepare(url: string): Promise<void> {
    const env = await this.environment(url);
    await this.hooks.run('start', env);
    await this.hooks.run('ready', env);
  }

  /** Runs after a complete reset. A failing script is only reported. */
  async prepareAgain(url: string): Promise<void> {
    await this.attempt('ready', url);
  }

  /** Runs before it ends. A failing script is only reported. */
  async end(url: string): Promise<void> {
    await this.attempt('shutdown', url);
  }

  private async attempt(stage: 'ready' | 'shutdown', url: string): Promise<void> {
    try {
      await this.hooks.run(stage, await this.environment(url));
    } catch (error) {
      this.log.error((error as Error).message);
    }
  }

  private environment(url: string): Promise<NodeJS.ProcessEnv> {
    const { values, region } = this.config.settings;
    return clientEnvironment({ url, region, verifies: values.EMULATOR_VERIFY_SIGV4 });
  }
}
