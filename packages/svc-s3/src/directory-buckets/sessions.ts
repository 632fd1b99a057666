import type { SessionMode } from './restrictions.ts';

/** A session that CreateSession has made. */
interface Session {
  readonly bucket: string;
  readonly mode: SessionMode;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** The sessions of directory buckets, by their access keys, as long as they last: some minutes. */
export class DirectorySessions {
  private readonly sessions = new Map<string, Session>();

  add(accessKeyId: string, session: Session, now: number): void {
    // They end in the order in which they were made.
    for (const [id, { expiresAt }] of this.sessions) {
      if (expiresAt > now) break;
      this.sessions.delete(id);
    }
    this.sessions.set(accessKeyId, session);
  }

  /** How an access key may use a bucket; undefined for one that is of no session. */
  modeOf(accessKeyId: string | undefined, bucket: string): SessionMode | 'other' | undefined {
    const session = accessKeyId === undefined ? undefined : this.sessions.get(accessKeyId);
    return session && (session.bucket === bucket ? session.mode : 'other');
  }
}
