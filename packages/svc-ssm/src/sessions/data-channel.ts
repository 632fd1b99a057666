import type { NodeShell, StateScope } from '@emu/core/service';
import type { WebSocket } from 'ws';
import type { Nodes } from '../nodes/nodes.ts';
import {
  type ChannelMessage,
  type ChannelMessageType,
  decodeMessage,
  encodeMessage,
  FLAG,
  PAYLOAD,
  TERMINATE_FLAG,
} from './messages.ts';
import type { Session } from './records.ts';
import { Transcript } from './transcript.ts';

/** Maximum output bytes per message, as in the agent. */
const MAX_PAYLOAD = 1024;
/** Maximum buffered bytes for a client that is disconnected or does not acknowledge; above it the session ends. */
const MAX_UNREAD = 8 * 1024 * 1024;
/** Maximum number of messages that may arrive out of order. */
const MAX_EARLY = 1000;
/** WebSocket close codes. */
const CLOSE = { normal: 1000, violation: 1008 } as const;

/** Callbacks of a channel to its session. */
export interface ChannelOwner {
  readonly scope: StateScope;
  readonly nodes: Nodes;
  /** Called when the session is used. */
  used(id: string): void;
  /** Called when the shell ends or the client ends the session. */
  terminate(id: string): void;
}

/**
 * Agent side of a session: passes the client's input to the shell of the node and the shell's output to the client. It
 * remains while the client is disconnected.
 * @see https://github.com/aws/session-manager-plugin/tree/mainline/src/datachannel
 */
export class DataChannel {
  private socket: WebSocket | undefined;
  private shell: NodeShell | undefined;
  private opening = false;
  private nextIn = 0;
  private nextOut = 0;
  /** Messages received out of order, by sequence number. */
  private readonly early = new Map<number, ChannelMessage>();
  /** Unacknowledged messages by sequence number. */
  private readonly sent = new Map<number, Buffer>();
  private unread = 0;
  private readonly transcript = new Transcript();
  private shaken = false;
  private handshakeAt = 0;
  private closed = false;

  constructor(
    private readonly owner: ChannelOwner,
    private readonly session: Session,
  ) {}

  /** Whether a client is connected. */
  get connected(): boolean {
    return this.socket !== undefined;
  }

  /** Attaches an authenticated client and disconnects the previous one. */
  attach(socket: WebSocket): void {
    this.socket?.close(CLOSE.normal);
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.receive(data));
    socket.once('close', () => {
      if (this.socket === socket) this.socket = undefined;
    });
    for (const bytes of this.sent.values()) socket.send(bytes);
    if (this.nextOut === 0) void this.shake();
  }

  /** Ends the shell and the connection when the emulator stops. */
  drop(): void {
    this.closed = true;
    this.shell?.close();
    this.socket?.terminate();
  }

  /** Ends the shell and notifies the client. */
  async close(output = ''): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.shell?.close();
    const { ids, clock, log } = this.owner.scope;
    const { id } = this.session;
    const notice = { MessageId: ids.uuid(), CreatedDate: new Date(clock.now()).toISOString(), DestinationId: id };
    const payload = { ...notice, SessionId: id, MessageType: 'channel_closed', SchemaVersion: 1, Output: output };
    this.socket?.send(this.message('channel_closed', Buffer.from(JSON.stringify(payload)), PAYLOAD.none, 0, FLAG.last));
    this.socket?.close(CLOSE.normal);
    await this.transcript.write(this.session, this.owner.scope).catch((error: unknown) => {
      log.warn(`the transcript of session ${id} could not be written`, { error });
    });
  }

  /** Ends the channel and its session. */
  private end(reason: string): void {
    void this.close(reason);
    this.owner.terminate(this.session.id);
  }

  /** Sends the session type to the client; the shell opens after its reply. */
  private async shake(): Promise<void> {
    const { clock } = this.owner.scope;
    this.handshakeAt = clock.now();
    const node = await this.owner.nodes.get(this.session.target);
    const parameters = { SessionType: this.session.plan?.type ?? 'Standard_Stream', Properties: {} };
    this.send(PAYLOAD.handshakeRequest, {
      AgentVersion: node?.agentVersion ?? '',
      RequestedClientActions: [{ ActionType: 'SessionType', ActionParameters: parameters }],
    });
  }

  private receive(data: Buffer): void {
    const message = Buffer.isBuffer(data) ? decodeMessage(data) : undefined;
    if (!message) {
      this.socket?.close(CLOSE.violation, 'malformed message');
      return;
    }
    if (message.type === 'acknowledge') this.acknowledged(message);
    if (message.type !== 'input_stream_data') return;
    if (message.sequence > this.nextIn + MAX_EARLY) return;
    this.acknowledge(message);
    if (message.sequence < this.nextIn) return;
    this.early.set(message.sequence, message);
    for (let due = this.early.get(this.nextIn); due; due = this.early.get(this.nextIn)) {
      this.early.delete(this.nextIn++);
      this.take(due);
    }
  }

  private acknowledged({ payload }: ChannelMessage): void {
    try {
      const { AcknowledgedMessageSequenceNumber: number } = JSON.parse(payload.toString('utf8')) as {
        AcknowledgedMessageSequenceNumber?: number;
      };
      const known = number === undefined ? undefined : this.sent.get(number);
      if (!known) return;
      this.sent.delete(number!);
      this.unread -= known.length;
    } catch {
      this.socket?.close(CLOSE.violation, 'malformed acknowledgement');
    }
  }

  private acknowledge({ type, id, sequence }: ChannelMessage): void {
    const acknowledgement = {
      AcknowledgedMessageType: type,
      AcknowledgedMessageId: id,
      AcknowledgedMessageSequenceNumber: sequence,
      IsSequentialMessage: true,
    };
    const flags = FLAG.first | FLAG.last;
    this.socket?.send(
      this.message('acknowledge', Buffer.from(JSON.stringify(acknowledgement)), PAYLOAD.none, 0, flags),
    );
  }

  /** Processes the client's next message. */
  private take({ payloadType, payload }: ChannelMessage): void {
    this.owner.used(this.session.id);
    switch (payloadType) {
      case PAYLOAD.handshakeResponse:
        if (!this.shaken) this.greet(payload);
        return;
      case PAYLOAD.size:
        this.resize(payload);
        return;
      case PAYLOAD.flag:
        if (payload.length === 4 && payload.readUInt32BE(0) === TERMINATE_FLAG) this.owner.terminate(this.session.id);
        return;
      case PAYLOAD.output:
      case PAYLOAD.none:
        this.shell?.write(payload);
    }
  }

  private greet(payload: Buffer): void {
    const { clock } = this.owner.scope;
    let failed: string | undefined;
    try {
      const { ProcessedClientActions: actions = [] } = JSON.parse(payload.toString('utf8')) as {
        ProcessedClientActions?: { ActionType?: string; ActionStatus?: number; Error?: string }[];
      };
      failed = actions.find(({ ActionStatus }) => ActionStatus !== 1)?.Error;
    } catch {
      failed = 'the handshake response is not valid JSON';
    }
    if (failed !== undefined) {
      this.end(`Handshake failed: ${failed}`);
      return;
    }
    this.shaken = true;
    const took = Math.round((clock.now() - this.handshakeAt) * 1e6);
    this.send(PAYLOAD.handshakeComplete, { HandshakeTimeToComplete: took, CustomerMessage: '' });
    void this.open();
  }

  private resize(payload: Buffer): void {
    try {
      const { cols, rows } = JSON.parse(payload.toString('utf8')) as { cols?: number; rows?: number };
      if (Number.isInteger(cols) && Number.isInteger(rows)) this.shell?.resize(cols!, rows!);
    } catch {
      this.socket?.close(CLOSE.violation, 'malformed size');
    }
  }

  /** Opens the shell on the node; the session ends with it. */
  private async open(): Promise<void> {
    if (this.opening) return;
    this.opening = true;
    const { id, target, plan } = this.session;
    const interactive = plan?.type !== 'NonInteractiveCommands';
    const write = (type: number) => (bytes: Uint8Array) => {
      this.transcript.add(bytes);
      for (let at = 0; at < bytes.length; at += MAX_PAYLOAD) this.send(type, bytes.subarray(at, at + MAX_PAYLOAD));
    };
    try {
      this.shell = await this.owner.nodes.open(target, {
        commands: plan?.commands,
        interactive,
        user: plan?.user,
        output: write(PAYLOAD.output),
        error: write(interactive ? PAYLOAD.output : PAYLOAD.standardError),
      });
      if (this.closed) this.shell.close();
      if (plan?.shellProfile !== undefined) this.shell.write(Buffer.from(`${plan.shellProfile}\n`));
      const code = await this.shell.ended;
      if (!interactive) this.send(PAYLOAD.exitCode, Buffer.from(String(code)));
      await this.close();
    } catch (error) {
      await this.close((error as Error).message);
    }
    this.owner.terminate(id);
  }

  /** Sends stream data, which is kept until the client acknowledges it. */
  private send(payloadType: number, content: Uint8Array | object): void {
    if (this.closed) return;
    const payload = content instanceof Uint8Array ? Buffer.from(content) : Buffer.from(JSON.stringify(content));
    const sequence = this.nextOut++;
    const flags = sequence === 0 ? FLAG.first : FLAG.none;
    const bytes = this.message('output_stream_data', payload, payloadType, sequence, flags);
    this.sent.set(sequence, bytes);
    this.unread += bytes.length;
    this.socket?.send(bytes);
    if (this.unread > MAX_UNREAD) this.end('The client has not read what the session put out.');
  }

  private message(
    type: ChannelMessageType,
    payload: Buffer,
    payloadType: number,
    sequence: number,
    flags: number,
  ): Buffer {
    const { ids, clock } = this.owner.scope;
    return encodeMessage({ type, sequence, flags, id: ids.uuid(), payloadType, payload, createdAt: clock.now() });
  }
}
