import type { ElbV2Listener, ElbV2LoadBalancer, ElbV2Rule, ElbV2TargetGroup, ElbV2WafCount } from '../records/elbv2.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Elastic Load Balancing v2. */
export const elbv2 = {
  /** Lists application, network and gateway load balancers. `GET /_emulator/elbv2/load-balancers` */
  loadBalancers: json<{ loadBalancers: ElbV2LoadBalancer[] }>()('GET /_emulator/elbv2/load-balancers'),

  /** Lists target groups with the health of their targets. `GET /_emulator/elbv2/target-groups` */
  targetGroups: json<{ targetGroups: ElbV2TargetGroup[] }>()('GET /_emulator/elbv2/target-groups'),

  /** Lists listeners. `GET /_emulator/elbv2/listeners` */
  listeners: json<{ listeners: ElbV2Listener[] }>()('GET /_emulator/elbv2/listeners'),

  /** Lists rules of listeners. `GET /_emulator/elbv2/rules` */
  rules: json<{ rules: ElbV2Rule[] }>()('GET /_emulator/elbv2/rules'),

  /**
   * Writes the buffered access logs. `POST /_emulator/elbv2/access-logs/flush`
   * @returns the number of log entries, and the written objects
   */
  flushAccessLogs: json<{ entries: number; objects: { bucket: string; key: string }[] }>()(
    'POST /_emulator/elbv2/access-logs/flush',
  ),

  /**
   * Returns the numbers of requests that web ACLs allowed and blocked, by target group. `GET
   * /_emulator/elbv2/waf-counts`
   */
  wafCounts: json<{ counts: ElbV2WafCount[] }>()('GET /_emulator/elbv2/waf-counts'),
};

/** Methods for the control routes of Elastic Load Balancing v2. */
export interface ElbV2Control extends MethodsOf<typeof elbv2> {}

/** Control routes of Elastic Load Balancing v2 by name. */
export type ElbV2Routes = RoutesOf<typeof elbv2>;
