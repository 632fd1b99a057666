import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Callback,
  ContainerError,
  type ContainerInstance,
  type ContainerRuntime,
  type ContainerSpec,
  type ContainerSummary,
} from '@emu/core/service';
import type { V1Pod } from '@kubernetes/client-node';
import { CONTAINER_OPTIONS } from '../options.ts';
import { isLeftover, ownerLabels, RUN_LABEL, SERVICE_LABEL } from '../ownership.ts';
import { makeRunDirectory, removeAbandonedRuns } from '../run-directory.ts';
import { type Cluster, clusterWords, isGone } from './cluster.ts';
import { PodInstance } from './instance.ts';
import { podManifest } from './manifest.ts';
import { hasStarted, pendingWords } from './pod-state.ts';

const PREFIX = 'emu-pods-';
/** Annotation with namespace and name of the emulator's own Pod. */
const OWNER_POD = 'emulator-owner-pod';
const OWN_NAMESPACE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';
/** Timeout for the start of a Pod including the image pull, and interval of checks, in milliseconds. */
const START_TIMEOUT = 300_000;
const LOOK_INTERVAL = 200;

/** Runs instances as Pods of a Kubernetes cluster. */
export class K8sRuntime implements ContainerRuntime {
  readonly backend = 'k8s';
  readonly isolated = true;
  readonly volumes = undefined;
  readonly networks = undefined;
  readonly images = undefined;
  private readonly running = new Set<PodInstance>();
  private readonly owner: Promise<Record<string, string>>;
  private home: Promise<string> | undefined;
  private closed = false;

  /** @param run id of this run of the emulator */
  constructor(
    private readonly cluster: Cluster,
    private readonly run: string,
  ) {
    this.owner = ownPod().then((pod) => ({ ...ownerLabels(run), ...(pod !== undefined && { [OWNER_POD]: pod }) }));
  }

  /** Inside the cluster the address of the emulator's own Pod, outside the host of `EMULATOR_K8S_SELF_URL`. */
  async callback(): Promise<Callback> {
    const own = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal);
    const { hostname: host } = new URL(this.cluster.settings.of(CONTAINER_OPTIONS).EMULATOR_K8S_SELF_URL!);
    const inCluster = process.env.KUBERNETES_SERVICE_HOST && own;
    return { bind: '0.0.0.0', host: inCluster ? own.address : host, ofInstances: true };
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
    const { api, namespace, settings } = this.cluster;
    const name = `emulator-${spec.name.slice(0, 40).replace(/-+$/, '')}-${randomBytes(6).toString('hex')}`;
    const labels = { ...(await this.owner), [SERVICE_LABEL]: spec.service };
    const body = podManifest({ name, spec, settings, labels });
    try {
      await api.createNamespacedPod({ namespace, body });
    } catch (error) {
      throw new ContainerError('engine', `${spec.name} cannot be started: ${clusterWords(error)}`, { cause: error });
    }
    try {
      const pod = await this.untilStarted(spec, name);
      this.checkOpen();
      const instance = new PodInstance(this.cluster, name, spec, pod.status);
      this.running.add(instance);
      void instance.exited.then(() => this.running.delete(instance));
      return instance;
    } catch (error) {
      await this.deletePod(name).catch(() => undefined);
      throw error;
    }
  }

  async list(labels: Readonly<Record<string, string>> = {}): Promise<ContainerSummary[]> {
    const pods = await this.ownPods();
    return pods
      .map((pod) => ({
        id: pod.metadata?.name ?? '',
        name: pod.metadata?.name ?? '',
        labels: labelsOf(pod),
        running: pod.status?.phase === 'Running',
      }))
      .filter((pod) => Object.entries(labels).every(([name, value]) => pod.labels[name] === value));
  }

  async removeLeftovers(): Promise<number> {
    const pods = await this.list();
    const left = await Promise.all(pods.map(async ({ labels }) => isLeftover(labels) || (await this.isOrphan(labels))));
    const gone = pods.filter((_, index) => left[index]);
    await Promise.all(gone.map(({ id }) => this.deletePod(id)));
    await removeAbandonedRuns(PREFIX);
    return gone.length;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.allSettled([...this.running].map((instance) => instance.stop({ grace: 0 })));
    // Pods that were being created. Pods that cannot be deleted now are removed at the next start.
    const rest = await this.list({ [RUN_LABEL]: this.run }).catch(() => []);
    await Promise.allSettled(rest.map(({ id }) => this.deletePod(id)));
    const home = await this.home?.catch(() => undefined);
    if (home) await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }

  private async untilStarted({ name }: ContainerSpec, pod: string): Promise<V1Pod> {
    const { api, namespace } = this.cluster;
    const begun = performance.now();
    for (;;) {
      this.checkOpen();
      let found: V1Pod;
      try {
        found = await api.readNamespacedPod({ name: pod, namespace });
      } catch (error) {
        throw new ContainerError('engine', `${name} cannot be started: ${clusterWords(error)}`, { cause: error });
      }
      if (hasStarted(name, found)) return found;
      if (performance.now() - begun > START_TIMEOUT)
        throw new ContainerError('engine', `${name} does not start: ${pendingWords(found)}`);
      await sleep(LOOK_INTERVAL);
    }
  }

  /** Returns the Pods of all emulators in the namespace. */
  private async ownPods(): Promise<V1Pod[]> {
    const { api, namespace } = this.cluster;
    const pods: V1Pod[] = [];
    let next: string | undefined;
    do {
      const page = await api.listNamespacedPod({ namespace, labelSelector: RUN_LABEL, _continue: next });
      pods.push(...page.items);
      next = page.metadata?._continue || undefined;
    } while (next);
    return pods;
  }

  /** Whether the emulator's own Pod is gone. A replacement by the cluster has another name. */
  private async isOrphan(labels: Readonly<Record<string, string>>): Promise<boolean> {
    const [namespace, name] = labels[OWNER_POD]?.split('/') ?? [];
    if (!namespace || !name) return false;
    try {
      const { status } = await this.cluster.api.readNamespacedPod({ name, namespace });
      return status?.phase === 'Succeeded' || status?.phase === 'Failed';
    } catch (error) {
      // Without permission for the query, the Pod is assumed to exist.
      return isGone(error);
    }
  }

  private async deletePod(name: string): Promise<void> {
    const { api, namespace } = this.cluster;
    try {
      await api.deleteNamespacedPod({ name, namespace, gracePeriodSeconds: 0 });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  private checkOpen(): void {
    if (this.closed) throw new ContainerError('unavailable', 'the emulator is closing');
  }
}

/** Returns the labels of an instance, including those stored as annotations. */
const labelsOf = ({ metadata }: V1Pod): Record<string, string> => ({ ...metadata?.annotations, ...metadata?.labels });

/** Returns namespace and name of this process's own Pod; undefined outside of a cluster. */
async function ownPod(): Promise<string | undefined> {
  if (!process.env.KUBERNETES_SERVICE_HOST) return undefined;
  const namespace = await readFile(OWN_NAMESPACE, 'utf8').catch(() => undefined);
  return namespace && `${namespace.trim()}/${hostname()}`;
}
