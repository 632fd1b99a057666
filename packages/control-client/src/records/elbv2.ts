import type { Located, Timestamp } from './common.ts';

/** A load balancer. */
export interface ElbV2LoadBalancer extends Located {
  name: string;
  arn: string;
  dnsName: string;
  type: 'application' | 'network' | 'gateway';
  scheme: 'internet-facing' | 'internal';
  state: string;
  vpcId?: string;
  subnetIds: string[];
  securityGroupIds: string[];
  createdAt: Timestamp;
}

/** A target group with the health of its targets. */
export interface ElbV2TargetGroup extends Located {
  name: string;
  arn: string;
  targetType: 'instance' | 'ip' | 'lambda' | 'alb';
  protocol?: string;
  port?: number;
  vpcId?: string;
  loadBalancerArns: string[];
  targets: { id: string; port?: number; state: string; reason?: string; description?: string }[];
}

/** An action of a listener or rule, as in the API. */
export interface ElbV2Action {
  /** e.g. `forward`, `redirect`, `fixed-response`. */
  type: string;
  order?: number;
  targetGroups?: { targetGroupArn: string; weight?: number }[];
  redirect?: { protocol?: string; port?: string; host?: string; path?: string; query?: string; statusCode: string };
  fixedResponse?: { statusCode: string; contentType?: string; messageBody?: string };
}

/** A listener. */
export interface ElbV2Listener extends Located {
  arn: string;
  loadBalancerArn: string;
  protocol?: string;
  port?: number;
  certificateArns: string[];
  defaultActions: ElbV2Action[];
}

/** A rule of a listener. */
export interface ElbV2Rule extends Located {
  arn: string;
  listenerArn: string;
  /** A number, or `default`. */
  priority: string;
  isDefault: boolean;
  conditions: { field: string; values: string[] }[];
  actions: ElbV2Action[];
}

/** Number of requests for a target group that the web ACL allowed. */
export interface ElbV2WafCount {
  targetGroupArn: string;
  loadBalancerArn: string;
  webAclArn: string;
  allowed: number;
  blocked: number;
}
