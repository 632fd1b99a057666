import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import type { ServiceManifest } from '@emu/core/service';
import { copyDataDirectory, type FaultyFileSystem, faultyFileSystem, ioError } from '@emu/core/testing';
import { createTestEmulator, type TestEmulator, type TestEmulatorOptions } from '@emu/gateway/testing';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

type SettingValues = NonNullable<NonNullable<TestEmulatorOptions['settings']>['values']>;

/** An emulator that crashes, and the one that starts from its data directory. */
export class Lives implements AsyncDisposable {
  private readonly directories: string[] = [];
  private readonly emulators: TestEmulator[] = [];
  private release: () => void = () => undefined;

  private constructor(
    private readonly manifests: readonly ServiceManifest[],
    private readonly fs = faultyFileSystem(),
  ) {}

  /** Starts a persistent emulator with services. */
  static async begin(manifests: readonly ServiceManifest[]): Promise<Lives> {
    const lives = new Lives(manifests);
    await lives.open(await lives.directory(), lives.fs);
    return lives;
  }

  /** The latest emulator. */
  get emulator(): TestEmulator {
    return this.emulators.at(-1)!;
  }

  /** From now on the disk stores nothing of some services, so that data passed to them is not persisted. */
  hold(...services: string[]): void {
    const held = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    this.fs.fault = async (call, _, path) => {
      if (call === 'write' && services.some((service) => path.includes(`${sep}${service}${sep}`))) await held;
      return undefined;
    };
  }

  /** From now on the disk fails for a service, so that its operations fail. */
  refuse(service: string): void {
    this.emulator.kernel.log.error = () => undefined;
    this.fs.fault = (call, _, path) =>
      call === 'write' && path.includes(`${sep}${service}${sep}`) ? ioError() : undefined;
  }

  /** From now on the disk works again. */
  accept(): void {
    this.fs.fault = () => undefined;
  }

  /**
   * Starts another emulator on a copy of the latest one's disk, as after a crash. The latest one continues.
   * @param values its settings
   */
  async die(values: SettingValues = {}): Promise<TestEmulator> {
    const latest = this.directories.at(-1)!;
    const copy = await this.directory();
    await this.fs.quietly(() => copyDataDirectory(latest, copy));
    this.release();
    this.fs.fault = () => undefined;
    return this.open(copy, faultyFileSystem(), values);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
    this.fs.fault = () => undefined;
    for (const emulator of this.emulators) await emulator.close();
    for (const directory of this.directories) await rm(directory, { recursive: true, force: true });
  }

  private async open(dataPath: string, fs: FaultyFileSystem, values: SettingValues = {}): Promise<TestEmulator> {
    const emulator = await createTestEmulator({
      manifests: this.manifests,
      settings: { accountId: ACCOUNT, region: REGION, values },
      dataPath,
      fs,
    });
    this.emulators.push(emulator);
    return emulator;
  }

  private async directory(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'emu-restart-'));
    this.directories.push(path);
    return path;
  }
}
