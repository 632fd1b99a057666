import type { SessionMode } from './restrictions.ts';

/** A session from CreateSession. */
interface Session {
  readonly bucket: string;
  readonly mode: SessionMode;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Sessions of directory buckets by access key, until they expire after some minutes. */
export class DirectorySessions {
  private readonly sessions = new Map<string, Session>();

  add(accessKeyId: string, session: Session, now: number): void {
    // They expire in order of creation.
    for (const [id, { expiresAt }] of this.sessions) {
      if (expiresAt > now) break;
      this.sessions.delete(id);
    }
    this.sessions.set(accessKeyId, session);
  }

  /** Returns the mode of an access key for a bucket; undefined without a session. */
  modeOf(accessKeyId: string | undefined, bucket: string): SessionMode | 'other' | undefined {
    const session = accessKeyId === undefined ? undefined : this.sessions.get(accessKeyId);
    return session && (session.bucket === bucket ? session.mode : 'other');
  }
}
