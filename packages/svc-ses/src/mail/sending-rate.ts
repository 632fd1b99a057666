const SECOND = 1000;

/** Recipients of the last moments, as a bucket that fills with time. */
export class SendingRate {
  private spent = 0;
  private at = 0;

  /**
   * Takes recipients, of which a pause lets as many at once as a second does.
   * @param perSecond how many the account may have
   * @param now epoch milliseconds
   * @returns whether they may go
   */
  take(recipients: number, perSecond: number, now: number): boolean {
    const refilled = (Math.max(0, now - this.at) / SECOND) * perSecond;
    const spent = Math.max(0, this.spent - refilled);
    // A mail to more recipients than a second has goes when nothing else does.
    if (spent > 0 && spent + recipients > perSecond) return false;
    this.spent = spent + recipients;
    this.at = now;
    return true;
  }
}
