/**
 * Template of a service-linked role: the end of its name (after `AWSServiceRoleFor`), the name of its AWS policy, and
 * whether it supports a custom suffix.
 */
export type ServiceLinkedRoleTemplate = readonly [role: string, policy: string, options?: { suffix: true }];

/**
 * Templates by service principal, without `.amazonaws.com`.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-services-that-work-with-iam.html
 */
export const TEMPLATES: Readonly<Record<string, ServiceLinkedRoleTemplate>> = {
  'access-analyzer': ['AccessAnalyzer', 'AccessAnalyzerServiceRolePolicy'],
  'accountdiscovery.ssm': ['AmazonSSM_AccountDiscovery', 'AWSSystemsManagerAccountDiscoveryServicePolicy'],
  acm: ['CertificateManager', 'CertificateManagerServiceRolePolicy'],
  'apidestinations.events': ['AmazonEventBridgeApiDestinations', 'AmazonEventBridgeApiDestinationsServiceRolePolicy'],
  appmesh: ['AppMesh', 'AWSAppMeshServiceRolePolicy'],
  'appstream.application-autoscaling': [
    'ApplicationAutoScaling_AppStreamFleet',
    'AWSApplicationAutoscalingAppStreamFleetPolicy',
  ],
  autoscaling: ['AutoScaling', 'AutoScalingServiceRolePolicy', { suffix: true }],
  'autoscaling-plans': ['AutoScalingPlans_EC2AutoScaling', 'AWSAutoScalingPlansEC2AutoScalingPolicy'],
  backup: ['Backup', 'AWSBackupServiceLinkedRolePolicyForBackup'],
  batch: ['Batch', 'BatchServiceRolePolicy'],
  'cassandra.application-autoscaling': [
    'ApplicationAutoScaling_CassandraTable',
    'AWSApplicationAutoscalingCassandraTablePolicy',
  ],
  'cks.kms': ['KeyManagementServiceCustomKeyStores', 'AWSKeyManagementServiceCustomKeyStoresServiceRolePolicy'],
  cloudtrail: ['CloudTrail', 'CloudTrailServiceRolePolicy'],
  'codestar-notifications': ['CodeStarNotifications', 'AWSCodeStarNotificationsServiceRolePolicy'],
  'comprehend.application-autoscaling': [
    'ApplicationAutoScaling_ComprehendEndpoint',
    'AWSApplicationAutoscalingComprehendEndpointPolicy',
  ],
  config: ['Config', 'AWSConfigServiceRolePolicy'],
  connect: ['AmazonConnect', 'AmazonConnectServiceLinkedRolePolicy', { suffix: true }],
  'custom-resource.application-autoscaling': [
    'ApplicationAutoScaling_CustomResource',
    'AWSApplicationAutoScalingCustomResourcePolicy',
  ],
  dms: ['DMSServerless', 'AWSDMSServerlessServiceRolePolicy'],
  'dms-fleet-advisor': ['DMSFleetAdvisor', 'AWSDMSFleetAdvisorServiceRolePolicy'],
  'docdb-elastic': ['DocDB-Elastic', 'AmazonDocDB-ElasticServiceRolePolicy'],
  'dynamodb.application-autoscaling': [
    'ApplicationAutoScaling_DynamoDBTable',
    'AWSApplicationAutoscalingDynamoDBTablePolicy',
  ],
  'ec2-instance-connect': ['Ec2InstanceConnect', 'Ec2InstanceConnectEndpoint'],
  'ec2.application-autoscaling': [
    'ApplicationAutoScaling_EC2SpotFleetRequest',
    'AWSApplicationAutoscalingEC2SpotFleetRequestPolicy',
  ],
  ec2fleet: ['EC2Fleet', 'AWSEC2FleetServiceRolePolicy'],
  ecr: ['ECRTemplate', 'ECRTemplateServiceRolePolicy'],
  ecs: ['ECS', 'AmazonECSServiceRolePolicy'],
  'ecs.application-autoscaling': ['ApplicationAutoScaling_ECSService', 'AWSApplicationAutoscalingECSServicePolicy'],
  eks: ['AmazonEKS', 'AmazonEKSServiceRolePolicy'],
  'eks-connector': ['AmazonEKSConnector', 'AmazonEKSConnectorServiceRolePolicy'],
  'eks-fargate': ['AmazonEKSForFargate', 'AmazonEKSForFargateServiceRolePolicy'],
  'eks-nodegroup': ['AmazonEKSNodegroup', 'AWSServiceRoleForAmazonEKSNodegroup'],
  elasticache: ['ElastiCache', 'ElastiCacheServiceRolePolicy'],
  'elasticache.application-autoscaling': [
    'ApplicationAutoScaling_ElastiCacheRG',
    'AWSApplicationAutoscalingElastiCacheRGPolicy',
  ],
  elasticbeanstalk: ['ElasticBeanstalk', 'AWSElasticBeanstalkServiceRolePolicy'],
  elasticfilesystem: ['AmazonElasticFileSystem', 'AmazonElasticFileSystemServiceRolePolicy'],
  elasticloadbalancing: ['ElasticLoadBalancing', 'AWSElasticLoadBalancingServiceRolePolicy'],
  elasticmapreduce: ['EMRCleanup', 'AmazonEMRCleanupPolicy'],
  'email.cognito-idp': ['AmazonCognitoIdpEmailService', 'AmazonCognitoIdpEmailServiceRolePolicy'],
  'emr-containers': ['AmazonEMRContainers', 'AmazonEMRContainersServiceRolePolicy'],
  emrwal: ['EMRWAL', 'EMRDescribeClusterPolicyForEMRWAL'],
  es: ['AmazonElasticsearchService', 'AmazonElasticsearchServiceRolePolicy'],
  events: ['CloudWatchEvents', 'CloudWatchEventsServiceRolePolicy'],
  fis: ['FIS', 'AmazonFISServiceRolePolicy'],
  fsx: ['AmazonFSx', 'AmazonFSxServiceRolePolicy'],
  globalaccelerator: ['GlobalAccelerator', 'AWSGlobalAcceleratorSLRPolicy'],
  grafana: ['AmazonGrafana', 'AmazonGrafanaServiceLinkedRolePolicy'],
  guardduty: ['AmazonGuardDuty', 'AmazonGuardDutyServiceRolePolicy'],
  imagebuilder: ['ImageBuilder', 'AWSServiceRoleForImageBuilder'],
  inspector2: ['AmazonInspector2', 'AmazonInspector2ServiceRolePolicy'],
  iotmanagedintegrations: ['IoTManagedIntegrations', 'AWSIoTManagedIntegrationsRolePolicy'],
  kafka: ['Kafka', 'KafkaServiceRolePolicy'],
  'kafka.application-autoscaling': [
    'ApplicationAutoScaling_KafkaCluster',
    'AWSApplicationAutoscalingKafkaClusterPolicy',
  ],
  kafkaconnect: ['KafkaConnect', 'KafkaConnectServiceRolePolicy'],
  lakeformation: ['LakeFormationDataAccess', 'LakeFormationDataAccessServiceRolePolicy'],
  'lambda.application-autoscaling': [
    'ApplicationAutoScaling_LambdaConcurrency',
    'AWSApplicationAutoscalingLambdaConcurrencyPolicy',
  ],
  lex: ['LexBots', 'AmazonLexBotPolicy'],
  lexv2: ['LexV2Bots', 'AmazonLexV2BotPolicy', { suffix: true }],
  lightsail: ['Lightsail', 'LightsailExportAccess'],
  'logger.cloudfront': ['CloudFrontLogger', 'AWSCloudFrontLogger'],
  m2: ['AWSM2', 'AWSM2ServicePolicy'],
  macie: ['AmazonMacie', 'AmazonMacieServiceRolePolicy'],
  'member.org.stacksets.cloudformation': [
    'CloudFormationStackSetsOrgMember',
    'CloudFormationStackSetsOrgMemberServiceRolePolicy',
  ],
  memorydb: ['MemoryDB', 'MemoryDBServiceRolePolicy'],
  mq: ['AmazonMQ', 'AmazonMQServiceRolePolicy'],
  'mrk.kms': ['KeyManagementServiceMultiRegionKeys', 'AWSKeyManagementServiceMultiRegionKeysServiceRolePolicy'],
  'neptune.application-autoscaling': [
    'ApplicationAutoScaling_NeptuneCluster',
    'AWSApplicationAutoscalingNeptuneClusterPolicy',
  ],
  notifications: ['AwsUserNotifications', 'AWSUserNotificationsServiceLinkedRolePolicy'],
  'observability.aoss': ['AmazonOpenSearchServerless', 'AmazonOpenSearchServerlessServiceRolePolicy'],
  opensearchservice: ['AmazonOpenSearchService', 'AmazonOpenSearchServiceRolePolicy'],
  'ops.apigateway': ['APIGateway', 'APIGatewayServiceRolePolicy'],
  'ops.emr-serverless': ['AmazonEMRServerless', 'AmazonEMRServerlessServiceRolePolicy'],
  'opsdatasync.ssm': ['SystemsManagerOpsDataSync', 'AWSSystemsManagerOpsDataSyncServiceRolePolicy'],
  'opsinsights.ssm': ['AmazonSSM_OpsInsights', 'AWSSSMOpsInsightsServiceRolePolicy'],
  organizations: ['Organizations', 'AWSOrganizationsServiceTrustPolicy'],
  'pullthroughcache.ecr': ['ECRPullThroughCache', 'AWSECRPullThroughCache_ServiceRolePolicy'],
  ram: ['ResourceAccessManager', 'AWSResourceAccessManagerServiceRolePolicy'],
  rds: ['RDS', 'AmazonRDSServiceRolePolicy'],
  'rds.application-autoscaling': ['ApplicationAutoScaling_RDSCluster', 'AWSApplicationAutoscalingRDSClusterPolicy'],
  redshift: ['Redshift', 'AmazonRedshiftServiceLinkedRolePolicy'],
  'replication.cassandra': ['KeyspacesReplication', 'KeyspacesReplicationServiceRolePolicy'],
  'replication.ecr': ['ECRReplication', 'ECRReplicationServiceRolePolicy'],
  'replicator.lambda': ['LambdaReplicator', 'AWSLambdaReplicator'],
  'repository.sync.codeconnections': ['GitSync', 'AWSGitSyncServiceRolePolicy'],
  'resource-explorer-2': ['ResourceExplorer', 'AWSResourceExplorerServiceRolePolicy'],
  rolesanywhere: ['RolesAnywhere', 'AWSRolesAnywhereServicePolicy'],
  's3-outposts': ['S3OnOutposts', 'AWSS3OnOutpostsServiceRolePolicy'],
  'sagemaker.application-autoscaling': [
    'ApplicationAutoScaling_SageMakerEndpoint',
    'AWSApplicationAutoscalingSageMakerEndpointPolicy',
  ],
  securityhub: ['SecurityHub', 'AWSSecurityHubServiceRolePolicy'],
  ses: ['AmazonSES', 'AmazonSESServiceRolePolicy'],
  shield: ['AWSShield', 'AWSShieldServiceRolePolicy'],
  spot: ['EC2Spot', 'AWSEC2SpotServiceRolePolicy'],
  spotfleet: ['EC2SpotFleet', 'AWSEC2SpotFleetServiceRolePolicy'],
  ssm: ['AmazonSSM', 'AmazonSSMServiceRolePolicy'],
  'ssm-incidents': ['IncidentManager', 'AWSIncidentManagerServiceRolePolicy'],
  'ssm-quicksetup': ['SSMQuickSetup', 'SSMQuickSetupRolePolicy'],
  sso: ['SSO', 'AWSSSOServiceRolePolicy'],
  'stacksets.cloudformation': ['CloudFormationStackSetsOrgAdmin', 'CloudFormationStackSetsOrgAdminServiceRolePolicy'],
  support: ['Support', 'AWSSupportServiceRolePolicy'],
  transitgateway: ['VPCTransitGateway', 'AWSVPCTransitGatewayServiceRolePolicy'],
  trustedadvisor: ['TrustedAdvisor', 'AWSTrustedAdvisorServiceRolePolicy'],
  'vpcorigin.cloudfront': ['CloudFrontVPCOrigin', 'AWSCloudFrontVPCOriginServiceRolePolicy'],
  waf: ['WAFLogging', 'WAFLoggingServiceRolePolicy'],
  wafv2: ['WAFV2Logging', 'WAFV2LoggingServiceRolePolicy'],
};

const DOMAIN = '.amazonaws.com';

/** Returns the template of a service's role; undefined for services without one. */
export function serviceLinkedRoleTemplate(service: string): ServiceLinkedRoleTemplate | undefined {
  const key = service.endsWith(DOMAIN) ? service.slice(0, -DOMAIN.length) : '';
  return Object.hasOwn(TEMPLATES, key) ? TEMPLATES[key] : undefined;
}

/** Returns the name of a service's role; undefined for services without one. */
export function serviceLinkedRoleName(service: string, suffix: string | undefined): string | undefined {
  const template = serviceLinkedRoleTemplate(service);
  return template && `AWSServiceRoleFor${template[0]}${suffix === undefined ? '' : `_${suffix}`}`;
}
