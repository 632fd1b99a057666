import {
  ContainerError,
  type ContainerRuntime,
  type Containers,
  type ContainersOptions,
  type OpenContainers,
  type RuntimeOptions,
  type VolumeScope,
} from '../containers/containers.ts';

/** The runtimes of an emulator, loaded at the first use. */
export class LazyContainers implements Containers {
  private opened: Promise<Containers> | undefined;

  constructor(
    private readonly options: ContainersOptions,
    private readonly open: OpenContainers | undefined,
  ) {}

  /** Whether the runtimes can be created: a mounted service provides the factory. */
  get available(): boolean {
    return this.open !== undefined;
  }

  async of(service: string, options?: RuntimeOptions): Promise<ContainerRuntime> {
    return (await this.containers()).of(service, options);
  }

  async urlInside(runtime: ContainerRuntime, url: string): Promise<string> {
    return (await this.containers()).urlInside(runtime, url);
  }

  async volumeScope(): Promise<VolumeScope> {
    return (await this.containers()).volumeScope();
  }

  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.close();
  }

  private containers(): Promise<Containers> {
    if (!this.open)
      return Promise.reject(
        new ContainerError('unavailable', 'no service of this emulator runs containers or processes'),
      );
    this.opened ??= this.open(this.options);
    this.opened.catch(() => {
      this.opened = undefined;
    });
    return this.opened;
  }
}
