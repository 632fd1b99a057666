import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { S3_HEADERS } from './s3.ts';

/** Bytes of each object. */
const SIZE = 2 ** 20;
/** Objects of each client, which it writes in turn. */
const KEYS = 4;

/** Concurrent clients that write, read and delete large objects. */
export class ObjectTraffic {
  requests = 0;
  private readonly agent: Agent;
  private readonly body = randomBytes(SIZE);

  constructor(
    private readonly url: string,
    private readonly clients: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: clients });
  }

  /** Creates the bucket, and writes a small object. */
  async prepare(): Promise<void> {
    await this.call('PUT', '/flood');
    await this.call('PUT', '/flood/small', this.body.subarray(0, 1000));
  }

  /** Runs all clients, each with sequential requests, until a time of `performance.now()`. */
  async run(until: number): Promise<void> {
    await Promise.all(Array.from({ length: this.clients }, (_, client) => this.client(client, until)));
  }

  close(): void {
    this.agent.destroy();
  }

  private async client(client: number, until: number): Promise<void> {
    for (let round = 0; performance.now() < until; round++) {
      const path = `/flood/${client}-${round % KEYS}`;
      await this.call('PUT', path, this.body);
      await this.call('GET', path);
      await this.call('DELETE', path);
    }
  }

  private call(method: string, path: string, body?: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = request(this.url + path, { method, headers: S3_HEADERS, agent: this.agent }, (response) => {
        response.resume();
        response.once('error', reject);
        response.once('end', () => {
          this.requests++;
          if (response.statusCode! < 300) resolve();
          else reject(new Error(`${method} ${path}: ${response.statusCode}`));
        });
      });
      call.once('error', reject);
      call.end(body);
    });
  }
}
