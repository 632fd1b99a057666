import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { V1Pod, V1PodStatus, V1Status } from '@kubernetes/client-node';

/** Behaviour of a command run in a Pod of the fake cluster. */
export interface FakeExec {
  command: string[];
  stdin: boolean;
  /** Writes to an output. */
  write(stream: 'stdout' | 'stderr', text: string): void;
  /** Input as it arrives. */
  onInput(listener: (text: string) => void): void;
  /** Ends the command in Kubernetes' format. */
  end(status: V1Status): void;
}

const STATUS = (code: number, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  message,
});
const CHANNELS = { stdin: 0, stdout: 1, stderr: 2, status: 3 } as const;

/** Part of the Kubernetes API that the driver uses, over HTTP: Pods with logs, and commands over WebSockets. */
export class FakeCluster {
  readonly pods = new Map<string, V1Pod>();
  /** Received requests: method and path with query. */
  readonly requests: string[] = [];
  readonly deletions: { name: string; grace: string | null }[] = [];
  private readonly logs = new Map<string, { text: string; open: Set<ServerResponse>; ended: boolean }>();
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  /** Status of a new Pod. */
  onCreate: (pod: V1Pod) => V1PodStatus = () => this.running();
  onExec: (exec: FakeExec) => void = (exec) => exec.end({ status: 'Success' });
  /** Rejects all requests with this status. */
  refuse: number | undefined;

  constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    this.server.on('upgrade', (request, socket) => this.upgrade(request, socket as Socket));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.breakConnections();
  }

  /** Closes every connection immediately. */
  breakConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  running(): V1PodStatus {
    const status = { name: 'main', image: 'x', imageID: '', ready: true, restartCount: 0 };
    return {
      phase: 'Running',
      podIP: '10.1.2.3',
      hostIP: '192.168.1.2',
      containerStatuses: [{ ...status, state: { running: {} } }],
    };
  }

  /** Writes to a Pod's output. */
  write(name: string, text: string): void {
    const log = this.logOf(name);
    log.text += text;
    for (const response of log.open) response.write(text);
  }

  /** Ends a Pod's main container. */
  end(name: string, terminated: { exitCode: number; reason?: string; signal?: number }): void {
    const pod = this.pods.get(name)!;
    const status = { name: 'main', image: 'x', imageID: '', ready: false, restartCount: 0 };
    pod.status = {
      phase: terminated.exitCode ? 'Failed' : 'Succeeded',
      containerStatuses: [{ ...status, state: { terminated } }],
    };
    this.endLog(name);
  }

  private logOf(name: string) {
    let log = this.logs.get(name);
    if (!log) {
      log = { text: '', open: new Set(), ended: false };
      this.logs.set(name, log);
    }
    return log;
  }

  private endLog(name: string): void {
    const log = this.logOf(name);
    log.ended = true;
    for (const response of log.open) response.end();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://cluster');
    this.requests.push(`${request.method} ${decodeURIComponent(url.pathname + url.search)}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const send = (code: number, body: unknown): void => {
      response.writeHead(code, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (this.refuse) return send(this.refuse, STATUS(this.refuse, 'pods is forbidden'));
    const [, namespace, name, sub] =
      /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\/([^/]+))?(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    if (namespace === undefined) return send(404, STATUS(404, 'no such path'));
    if (name === undefined && request.method === 'GET') {
      const selector = url.searchParams.get('labelSelector');
      const items = [...this.pods.values()].filter(({ metadata }) => !selector || selector in (metadata?.labels ?? {}));
      return send(200, { kind: 'PodList', apiVersion: 'v1', metadata: {}, items });
    }
    if (name === undefined) {
      const pod = JSON.parse(Buffer.concat(chunks).toString()) as V1Pod;
      pod.status = this.onCreate(pod);
      this.pods.set(pod.metadata!.name!, pod);
      return send(201, pod);
    }
    const pod = this.pods.get(name);
    if (!pod) return send(404, STATUS(404, `pods "${name}" not found`));
    if (sub === 'log') {
      const log = this.logOf(name);
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.flushHeaders();
      if (!url.searchParams.has('sinceTime')) response.write(log.text);
      if (log.ended) return void response.end();
      log.open.add(response);
      response.once('close', () => log.open.delete(response));
      return undefined;
    }
    if (request.method === 'DELETE') {
      this.deletions.push({ name, grace: url.searchParams.get('gracePeriodSeconds') });
      this.pods.delete(name);
      this.endLog(name);
    }
    return send(200, pod);
  }

  /** A minimal WebSocket. The first byte of each message is its channel. */
  private upgrade(request: IncomingMessage, socket: Socket): void {
    const url = new URL(request.url!, 'http://cluster');
    this.requests.push(`UPGRADE ${url.pathname}`);
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n`,
    );
    socket.on('error', () => undefined);
    const send = (channel: number, text: string): void => {
      const payload = Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
      const head =
        payload.length < 126 ? [0x82, payload.length] : [0x82, 126, payload.length >> 8, payload.length & 255];
      socket.write(Buffer.concat([Buffer.from(head), payload]));
    };
    let listener: (text: string) => void = () => undefined;
    socket.on('data', (data: Buffer) => {
      for (let rest = data; rest.length > 0; ) {
        const length = rest[1]! & 127;
        const mask = rest.subarray(2, 6);
        const payload = rest.subarray(6, 6 + length).map((byte, index) => byte ^ mask[index % 4]!);
        if ((rest[0]! & 15) === 8) socket.end();
        else if (payload[0] === CHANNELS.stdin) listener(Buffer.from(payload.subarray(1)).toString());
        rest = rest.subarray(6 + length);
      }
    });
    this.onExec({
      command: url.searchParams.getAll('command'),
      stdin: url.searchParams.get('stdin') === 'true',
      write: (stream, text) => send(CHANNELS[stream], text),
      onInput: (given) => {
        listener = given;
      },
      end: (status) => send(CHANNELS.status, JSON.stringify(status)),
    });
  }
}
