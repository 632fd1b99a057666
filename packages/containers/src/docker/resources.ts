import type { ContainerNetworks, ContainerVolumes } from '@emu/core/service';
import { OWNER_LABEL } from '../ownership.ts';
import type { Engine } from './engine.ts';
import { isConflict, isMissing } from './errors.ts';

type Labels = Readonly<Record<string, string>>;

/** Returns label filters for an engine. */
export const labelFilter = (labels: Labels): { label: string[] } => ({
  label: Object.entries(labels).map(([name, value]) => `${name}=${value}`),
});

/** Whether labels contain all of the others. podman's own filters match some values by prefix only. */
export const carries = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);

/** Named volumes of an engine. */
export class DockerVolumes implements ContainerVolumes {
  constructor(private readonly engine: Engine) {}

  async ensure(name: string, labels: Labels = {}): Promise<void> {
    if (await this.exists(name)) return;
    try {
      await this.engine.docker.createVolume({ Name: name, Labels: { ...labels } });
    } catch (error) {
      // Created by another call meanwhile.
      if (!(await this.exists(name))) throw error;
    }
  }

  async exists(name: string): Promise<boolean> {
    try {
      await this.engine.docker.getVolume(name).inspect();
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async list(labels: Labels = {}): Promise<{ name: string; labels: Labels }[]> {
    const { Volumes } = await this.engine.docker.listVolumes();
    return (Volumes ?? [])
      .map(({ Name, Labels }) => ({ name: Name, labels: Labels ?? {} }))
      .filter((volume) => carries(volume.labels, labels));
  }

  async remove(name: string): Promise<void> {
    try {
      await this.engine.docker.getVolume(name).remove();
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Returns the volumes that are removed with an emulator. */
  async owned(): Promise<{ name: string; labels: Labels }[]> {
    return (await this.list()).filter(({ labels }) => OWNER_LABEL in labels);
  }
}

/** Networks of an engine. They are removed with the emulator that created them. */
export class DockerNetworks implements ContainerNetworks {
  /** @param labels of every created network */
  constructor(
    private readonly engine: Engine,
    private readonly labels: Labels,
  ) {}

  async ensure(name: string, { labels = {}, subnet }: { labels?: Labels; subnet?: string } = {}): Promise<void> {
    const { docker } = this.engine;
    if (await this.exists(name)) return;
    try {
      await docker.createNetwork({
        Name: name,
        Driver: 'bridge',
        Labels: { ...labels, ...this.labels },
        ...(subnet !== undefined && { IPAM: { Driver: 'default', Config: [{ Subnet: subnet }] } }),
      });
    } catch (error) {
      // Created by another call meanwhile.
      if (!isConflict(error) || !(await this.exists(name))) throw error;
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await this.engine.docker.getNetwork(name).remove();
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Returns the networks that are removed with an emulator. */
  async owned(): Promise<{ name: string; labels: Labels }[]> {
    const networks = await this.engine.docker.listNetworks();
    return networks
      .map(({ Name, Labels }) => ({ name: Name, labels: Labels ?? {} }))
      .filter(({ labels }) => OWNER_LABEL in labels);
  }

  private async exists(name: string): Promise<boolean> {
    try {
      await this.engine.docker.getNetwork(name).inspect();
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }
}
