const SECOND = 1000;

/** Token bucket of recipients. */
export class SendingRate {
  private spent = 0;
  private at = 0;

  /**
   * Takes recipients; the burst is the rate of one second.
   * @param perSecond rate of the account
   * @param now epoch milliseconds
   * @returns whether they are within the rate
   */
  take(recipients: number, perSecond: number, now: number): boolean {
    const refilled = (Math.max(0, now - this.at) / SECOND) * perSecond;
    const spent = Math.max(0, this.spent - refilled);
    // A mail with more recipients than the rate is sent when the bucket is full.
    if (spent > 0 && spent + recipients > perSecond) return false;
    this.spent = spent + recipients;
    this.at = now;
    return true;
  }
}
