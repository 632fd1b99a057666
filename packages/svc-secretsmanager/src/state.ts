import {
  type Clock,
  type Collection,
  type DeepReadonly,
  DueTimers,
  type Ids,
  type InterruptedWork,
  type Logger,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { type SecretRecord, secretCollection, type VersionRecord, versionCollection } from './records.ts';
import { secretType } from './resources.ts';

/** A stored secret. */
export type Secret = DeepReadonly<SecretRecord>;
/** A stored version. */
export type Version = DeepReadonly<VersionRecord>;

const SUFFIX = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Background work of a state. The plugin provides it, so that the state does not depend on functions. */
export interface SecretsWork {
  /** Rotates a secret that is due. */
  rotate(state: SecretsState, secret: Secret): Promise<void>;
  /** Returns rotations that were in progress before a restart. */
  interrupted(state: SecretsState): Iterable<InterruptedWork>;
}

/** Secrets of one account and region. */
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
  /** Ids of versions by secret name, oldest first. */
  private readonly versionIds = new Map<string, Set<string>>();
  /** Timers for the next change of each secret, by name. */
  private readonly due: DueTimers;
  /** Rotations in progress by secret name. */
  readonly rotating = new Map<string, Promise<void>>();
  /** Whether the state has ended and work in progress has no effect. */
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
    this.workers = [
      {
        resume: () => this.resume(),
        interrupted: () => this.work.interrupted(this),
        close: () => this.close(),
      },
    ];
    for (const version of this.versions.values()) this.remember(version);
  }

  /** Creates an ARN for a name. Its six random characters distinguish it from an earlier secret. */
  newArn(name: string): string {
    return secretType.arn({ id: `${name}-${this.ids.chars(6, SUFFIX)}` }, this);
  }

  /** Returns the secret with a name, unless its recovery window has ended. */
  find(name: string): Secret | undefined {
    const secret = this.secrets.get(name);
    if (secret?.purgeAt === undefined || secret.purgeAt > this.clock.now()) return secret;
    this.remove(name);
    return undefined;
  }

  /** Returns all existing secrets in order of creation. */
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

  /** Deletes a secret and its versions permanently. */
  remove(name: string): void {
    this.due.cancel(name);
    for (const id of this.versionIds.get(name) ?? []) this.versions.delete(versionKey(name, id));
    this.versionIds.delete(name);
    this.secrets.delete(name);
  }

  version(name: string, id: string): Version | undefined {
    return this.versions.get(versionKey(name, id));
  }

  /** Returns the versions of a secret, oldest first. */
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

  /** Sets the timers of all secrets. */
  private resume(): void {
    for (const secret of this.secrets.values()) this.schedule(secret);
  }

  private close(): void {
    this.closed = true;
  }

  private remember({ secret, id }: Pick<Version, 'secret' | 'id'>): void {
    const ids = this.versionIds.get(secret);
    if (ids) ids.add(id);
    else this.versionIds.set(secret, new Set([id]));
  }

  /** Sets the timer for the next change of a secret: its final deletion or its rotation. */
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
