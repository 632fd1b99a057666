import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Callback,
  ContainerError,
  type ContainerInstance,
  type ContainerRuntime,
  type ContainerSpec,
  type ContainerSummary,
} from '@emu/core/service';
import type Docker from 'dockerode';
import { isLeftover, OWNER_CONTAINER_LABEL, ownerLabels, RUN_LABEL, SERVICE_LABEL } from '../ownership.ts';
import { makeRunDirectory, removeAbandonedRuns } from '../run-directory.ts';
import { attach } from './attach.ts';
import { callbackOf } from './callback.ts';
import { copyDirectories } from './copy.ts';
import { createOptions } from './create-options.ts';
import type { RuntimeEngine } from './engine.ts';
import { isConflict, isMissing, requestError, startError } from './errors.ts';
import { DockerImages } from './images.ts';
import { DockerInstance } from './instance.ts';
import { carries, DockerNetworks, DockerVolumes, labelFilter } from './resources.ts';

/** Prefix of the directories with files for containers. */
const PREFIX = 'emu-containers-';
/** Attempts to remove a container, and the delay between them in milliseconds. */
const REMOVE_TRIES = 5;
const REMOVE_PAUSE = 200;

/** Runs instances as containers of Docker or podman. */
export class DockerRuntime implements ContainerRuntime {
  readonly backend = 'docker';
  readonly isolated = true;
  readonly volumes: DockerVolumes;
  readonly networks: DockerNetworks;
  readonly images: DockerImages;
  private readonly running = new Set<DockerInstance>();
  private readonly owner: Record<string, string>;
  private home: Promise<string> | undefined;
  private closed = false;

  /** @param run id of this run of the emulator */
  constructor(
    private readonly engine: RuntimeEngine,
    private readonly run: string,
  ) {
    const { own } = engine;
    this.owner = { ...ownerLabels(run), ...(own && { [OWNER_CONTAINER_LABEL]: own.id }) };
    this.volumes = new DockerVolumes(engine);
    this.networks = new DockerNetworks(engine, this.owner);
    this.images = new DockerImages(engine);
  }

  async callback(): Promise<Callback> {
    try {
      return await callbackOf(this.engine);
    } catch (error) {
      throw requestError(this.engine, error);
    }
  }

  async scratch(): Promise<string> {
    this.checkOpen();
    this.home ??= makeRunDirectory(PREFIX, this.run);
    const directory = join(await this.home, 'scratch');
    await mkdir(directory, { recursive: true });
    return directory;
  }

  async start(spec: ContainerSpec): Promise<ContainerInstance> {
    this.checkOpen();
    const image = await this.images.provide(spec);
    this.checkOpen();
    const container = await this.create(spec, image);
    let instance: DockerInstance | undefined;
    try {
      if (!this.engine.local) await copyDirectories(container, spec);
      for (const { network, aliases = [] } of spec.networks?.slice(1) ?? [])
        await this.engine.docker
          .getNetwork(network)
          .connect({ Container: container.id, EndpointConfig: { Aliases: [...aliases] } });
      // Before the start, so that no output is missed.
      const stream = await attach(this.engine, container, spec.input === true);
      stream.on('error', () => undefined);
      await container.start();
      instance = new DockerInstance(this.engine, container, spec, stream);
      this.checkOpen();
    } catch (error) {
      await container.remove({ force: true, v: true }).catch(() => undefined);
      throw startError(this.engine, spec.name, error);
    }
    this.running.add(instance);
    void instance.exited.then(() => this.running.delete(instance));
    return instance;
  }

  async list(labels: Readonly<Record<string, string>> = {}): Promise<ContainerSummary[]> {
    const filters = labelFilter(labels);
    const containers = await this.engine.docker.listContainers({
      all: true,
      ...(filters.label.length > 0 && { filters: JSON.stringify(filters) }),
    });
    return containers
      .filter((container) => carries(container.Labels ?? {}, labels))
      .map(({ Id, Names, Labels, State }) => ({
        id: Id,
        name: (Names[0] ?? '').replace(/^\//, ''),
        labels: Labels ?? {},
        running: State === 'running',
      }));
  }

  async removeLeftovers(): Promise<number> {
    const all = await this.list();
    const running = new Set(all.filter((container) => container.running).map(({ id }) => id));
    // Processes of other containers are not visible, but the engine reports whether these containers run.
    const isLeft = (labels: Readonly<Record<string, string>>): boolean => {
      const owner = labels[OWNER_CONTAINER_LABEL];
      return isLeftover(labels) || (owner !== undefined && !running.has(owner));
    };
    const left = all.filter(({ labels }) => isLeft(labels));
    await Promise.all(left.map(({ id }) => this.removeContainer(id)));
    await this.removeOwned(isLeft);
    await removeAbandonedRuns(PREFIX);
    return left.length;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.running].map((instance) => instance.stop({ grace: 0 })));
    // Instances that were being created, and other containers of this run.
    const rest = await this.list({ [RUN_LABEL]: this.run }).catch(() => []);
    await Promise.all(rest.map(({ id }) => this.removeContainer(id)));
    await this.removeOwned((labels) => labels[RUN_LABEL] === this.run).catch(() => undefined);
    const home = await this.home?.catch(() => undefined);
    if (home) await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }

  private async create(spec: ContainerSpec, image: string): Promise<Docker.Container> {
    const labels = { ...this.owner, [SERVICE_LABEL]: spec.service };
    const name = `emulator-${spec.name}-${randomBytes(6).toString('hex')}`;
    const query = { name, ...(spec.platform !== undefined && { platform: spec.platform }) };
    // Without separate options, the client would also put the body into the URL.
    const options = { _query: query, _body: createOptions(spec, image, labels, this.engine) };
    try {
      return await this.engine.docker.createContainer(options as unknown as Docker.ContainerCreateOptions);
    } catch (error) {
      throw startError(this.engine, spec.name, error);
    }
  }

  /** Removes volumes and networks of emulators that have ended. */
  private async removeOwned(goes: (labels: Readonly<Record<string, string>>) => boolean): Promise<void> {
    const volumes = (await this.volumes.owned()).filter(({ labels }) => goes(labels));
    // A volume or network in use by another program remains.
    await Promise.all(volumes.map(({ name }) => this.volumes.remove(name).catch(() => undefined)));
    const networks = (await this.networks.owned()).filter(({ labels }) => goes(labels));
    await Promise.all(networks.map(({ name }) => this.networks.remove(name).catch(() => undefined)));
  }

  private async removeContainer(id: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.engine.docker.getContainer(id).remove({ force: true, v: true });
      } catch (error) {
        if (isMissing(error)) return;
        // Another emulator is removing the same leftovers. An engine reports this with 409, or (Podman) with 500 and
        // the container's state.
        if (tries >= REMOVE_TRIES) {
          if (isConflict(error)) return;
          throw error;
        }
        await delay(REMOVE_PAUSE);
      }
    }
  }

  private checkOpen(): void {
    if (this.closed) throw new ContainerError('unavailable', 'the emulator is closing');
  }
}
