import type { ElbV2Listener, ElbV2LoadBalancer, ElbV2Rule, ElbV2TargetGroup, ElbV2WafCount } from '../routes/elbv2.ts';
import { AreaControl } from './area.ts';

/** Control routes of Elastic Load Balancing v2. */
export class ElbV2Control extends AreaControl {
  /** Lists application, network and gateway load balancers. `GET /_emulator/elbv2/load-balancers` */
  loadBalancers(): Promise<{ loadBalancers: ElbV2LoadBalancer[] }> {
    return this.transport.json('GET /_emulator/elbv2/load-balancers');
  }

  /** Lists target groups with the health of their targets. `GET /_emulator/elbv2/target-groups` */
  targetGroups(): Promise<{ targetGroups: ElbV2TargetGroup[] }> {
    return this.transport.json('GET /_emulator/elbv2/target-groups');
  }

  /** Lists listeners. `GET /_emulator/elbv2/listeners` */
  listeners(): Promise<{ listeners: ElbV2Listener[] }> {
    return this.transport.json('GET /_emulator/elbv2/listeners');
  }

  /** Lists rules of listeners. `GET /_emulator/elbv2/rules` */
  rules(): Promise<{ rules: ElbV2Rule[] }> {
    return this.transport.json('GET /_emulator/elbv2/rules');
  }

  /**
   * Writes the buffered access logs. `POST /_emulator/elbv2/access-logs/flush`
   * @returns the number of log entries, and the written objects
   */
  flushAccessLogs(): Promise<{ entries: number; objects: { bucket: string; key: string }[] }> {
    return this.transport.json('POST /_emulator/elbv2/access-logs/flush');
  }

  /**
   * Returns the numbers of requests that web ACLs allowed and blocked, by target group. `GET
   * /_emulator/elbv2/waf-counts`
   */
  wafCounts(): Promise<{ counts: ElbV2WafCount[] }> {
    return this.transport.json('GET /_emulator/elbv2/waf-counts');
  }
}
