import { timingSafeEqual } from 'node:crypto';
import { type Collection, DueTimers, type StateScope, type Worker } from '@emu/core/service';
import type { SessionStatus } from '@emu/service-types/ssm';
import type { WebSocket } from 'ws';
import type { Nodes } from '../nodes/nodes.ts';
import { type ChannelOwner, DataChannel } from './data-channel.ts';
import type { Session, SessionRecord } from './records.ts';

/** Retention of sessions in milliseconds: 30 days, as in AWS. */
const RETENTION = 30 * 86_400_000;
/** Minimum milliseconds between two records of a session's use. */
const USE_STEP = 10_000;

/** Whether a session is in the history. */
export const isPast = ({ status }: Session): boolean => status === 'Terminated' || status === 'Failed';

/** Sessions of an account and region, with their timeouts. */
export class Sessions implements Worker, ChannelOwner {
  private readonly timers: DueTimers;
  /** Data channel tokens by session. They end with the process, as the shells do; ResumeSession issues new ones. */
  private readonly tokens = new Map<string, Buffer>();
  private readonly channels = new Map<string, DataChannel>();

  constructor(
    readonly scope: StateScope,
    private readonly records: Collection<SessionRecord>,
    readonly nodes: Nodes,
  ) {
    this.timers = new DueTimers(scope.clock);
  }

  resume(): void {
    for (const session of this.records.values()) this.watch(session);
  }

  close(): void {
    this.timers.cancelAll();
    for (const channel of this.channels.values()) channel.drop();
    this.channels.clear();
  }

  get(id: string): Session | undefined {
    return this.records.get(id);
  }

  /** Returns all sessions, oldest first. */
  all(): Iterable<Session> {
    return this.records.values();
  }

  put(record: SessionRecord): Session {
    const oldest = this.scope.clock.now() - RETENTION;
    for (const { id, endedAt } of this.records.values())
      if (endedAt !== undefined && endedAt < oldest) this.records.delete(id);
    const session = this.records.put(record.id, record);
    this.watch(session);
    return session;
  }

  /** Issues a new token for the data channel of a session and invalidates earlier ones. */
  issueToken(id: string): string {
    const token = this.scope.ids.bytes(192).toString('base64');
    this.tokens.set(id, Buffer.from(token));
    return token;
  }

  /** Whether a text is the session's token. */
  admits(id: string, token: string | undefined): boolean {
    const known = this.tokens.get(id);
    const given = Buffer.from(token ?? '');
    return known !== undefined && known.length === given.length && timingSafeEqual(known, given);
  }

  /** Connects an authenticated client to the shell of the node. */
  connect(id: string, socket: WebSocket): void {
    const session = this.records.get(id);
    if (!session || isPast(session)) {
      socket.close();
      return;
    }
    const channel = this.channels.get(id) ?? new DataChannel(this, session);
    this.channels.set(id, channel);
    channel.attach(socket);
    // Runs after the channel's own handler.
    socket.once('close', () => {
      const now = this.records.get(id);
      if (this.channels.get(id) === channel && now && !isPast(now) && !channel.connected)
        this.setStatus(id, 'Disconnected');
    });
    this.setStatus(id, 'Connected');
  }

  used(id: string): void {
    const session = this.records.get(id);
    if (!session?.plan || isPast(session)) return;
    const { idle, longest = Number.POSITIVE_INFINITY } = session.plan;
    const endsBy = Math.min(Math.floor(this.scope.clock.now()) + idle, session.startedAt + longest);
    if (endsBy < session.endsBy! + USE_STEP) return;
    this.watch(
      this.records.update(id, (draft) => {
        draft.endsBy = endsBy;
      }),
    );
  }

  /** Ends a session for good. */
  terminate(id: string): void {
    this.timers.cancel(id);
    this.tokens.delete(id);
    const channel = this.channels.get(id);
    this.channels.delete(id);
    void channel?.close();
    const session = this.records.get(id);
    if (!session || isPast(session)) return;
    this.records.update(id, (draft) => {
      draft.status = 'Terminated';
      draft.endedAt ??= Math.floor(this.scope.clock.now());
    });
  }

  private setStatus(id: string, status: SessionStatus): void {
    if (this.records.get(id)!.status !== status)
      this.records.update(id, (draft) => {
        draft.status = status;
      });
  }

  private watch(session: Session): void {
    if (session.endsBy !== undefined && !isPast(session))
      this.timers.set(session.id, session.endsBy, () => this.terminate(session.id));
  }
}
