import {
  type Clock,
  type Collection,
  type DeepReadonly,
  DueTimers,
  type Ids,
  type Logger,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core';
import { type SecretRecord, secretCollection, type VersionRecord, versionCollection } from './records.ts';
import { secretType } from './resources.ts';

/** A secret as it is kept. */
export type Secret = DeepReadonly<SecretRecord>;
/** A version as it is kept. */
export type Version = DeepReadonly<VersionRecord>;

const SUFFIX = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** What a state does of its own accord; given by the plugin, so that the state knows nothing of functions. */
export interface SecretsWork {
  /** Rotates a secret whose time has come. */
  rotate(state: SecretsState, secret: Secret): Promise<void>;
  /** Goes on with the rotations that an emulator before this one left unfinished. */
  resume(state: SecretsState): void;
}

/** The secrets of one account and region. */
export class SecretsState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly service: ServiceHandle<SecretsState>;
  readonly call: StateScope['call'];
  readonly secrets: Collection<SecretRecord>;
  private readonly versions: Collection<VersionRecord>;
  /** Ids of versions, oldest first, by the secret's name. */
  private readonly versionIds = new Map<string, Set<string>>();
  /** What happens to secrets by themselves next, by their names. */
  private readonly due: DueTimers;
  /** Rotations that run, by the secret's name. */
  readonly rotating = new Map<string, Promise<void>>();
  /** Whether what is under way ends unheard. */
  closed = false;

  constructor(
    scope: StateScope,
    private readonly work: SecretsWork,
  ) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.service = scope.service as ServiceHandle<SecretsState>;
    this.call = scope.call.bind(scope);
    this.secrets = scope.collection(secretCollection);
    this.versions = scope.collection(versionCollection);
    this.due = new DueTimers(scope.clock);
    this.workers = [{ resume: () => this.resume(), close: () => this.close() }];
    for (const version of this.versions.values()) this.remember(version);
  }

  /** A new ARN for a name: six random characters tell it from an earlier secret's. */
  newArn(name: string): string {
    return secretType.arn({ id: `${name}-${this.ids.chars(6, SUFFIX)}` }, this);
  }

  /** A secret by its name; one whose recovery window has ended is gone. */
  find(name: string): Secret | undefined {
    const secret = this.secrets.get(name);
    if (secret?.purgeAt === undefined || secret.purgeAt > this.clock.now()) return secret;
    this.remove(name);
    return undefined;
  }

  /** Every secret that is not gone, in the order of their making. */
  list(): Secret[] {
    return [...this.secrets.keys()].flatMap((name) => this.find(name) ?? []);
  }

  get number(): number {
    return this.secrets.size;
  }

  put(record: SecretRecord): Secret {
    const secret = this.secrets.put(record.name, record);
    this.schedule(secret);
    return secret;
  }

  update(name: string, change: (draft: SecretRecord) => void): Secret {
    const secret = this.secrets.update(name, change);
    this.schedule(secret);
    return secret;
  }

  /** Deletes a secret with its versions for good. */
  remove(name: string): void {
    this.due.cancel(name);
    for (const id of this.versionIds.get(name) ?? []) this.versions.delete(versionKey(name, id));
    this.versionIds.delete(name);
    this.secrets.delete(name);
  }

  version(name: string, id: string): Version | undefined {
    return this.versions.get(versionKey(name, id));
  }

  /** Versions of a secret, oldest first. */
  versionsOf(name: string): Version[] {
    return [...(this.versionIds.get(name) ?? [])].map((id) => this.version(name, id)!);
  }

  putVersion(version: VersionRecord): Version {
    this.remember(version);
    return this.versions.put(versionKey(version.secret, version.id), version);
  }

  updateVersion(name: string, id: string, change: (draft: VersionRecord) => void): Version {
    return this.versions.update(versionKey(name, id), change);
  }

  removeVersion(name: string, id: string): void {
    this.versions.delete(versionKey(name, id));
    this.versionIds.get(name)?.delete(id);
  }

  /** Begins to wait for what is to happen to secrets by themselves. */
  private resume(): void {
    for (const secret of this.secrets.values()) this.schedule(secret);
    this.work.resume(this);
  }

  private close(): void {
    this.closed = true;
  }

  private remember({ secret, id }: Pick<Version, 'secret' | 'id'>): void {
    const ids = this.versionIds.get(secret);
    if (ids) ids.add(id);
    else this.versionIds.set(secret, new Set([id]));
  }

  /** Sets the timer of what happens to a secret by itself next: its end, or its rotation. */
  private schedule({ name, purgeAt, rotation }: Secret): void {
    this.due.cancel(name);
    const due = purgeAt ?? (rotation?.enabled ? rotation.nextAt : undefined);
    if (due === undefined) return;
    this.due.set(name, due, () => {
      const secret = this.find(name);
      if (secret && secret.purgeAt === undefined) return this.work.rotate(this, secret);
    });
  }
}

const versionKey = (name: string, id: string): string => `${name} ${id}`;
