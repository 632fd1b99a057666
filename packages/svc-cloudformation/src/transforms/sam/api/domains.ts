import { isObject } from '@emu/wire';
import { resourceProblem, SamProblem } from '../errors.ts';
import { shortDigest } from '../ids.ts';
import type { Translation } from '../translation.ts';
import { defined, getAtt, isIntrinsic, type Obj, pick, ref } from '../values.ts';

/** Hosted zone of all CloudFront distributions. */
const CLOUDFRONT_ZONE = 'Z2FDTNDATAQYW2';

/** Returns the base paths of a domain; undefined if it has none. */
const pathsOf = ({ BasePath }: Obj): unknown[] | undefined => {
  if (!BasePath) return undefined;
  return typeof BasePath === 'string' ? [BasePath] : Array.isArray(BasePath) ? BasePath : undefined;
};

const MUTUAL = ['TruststoreUri', 'TruststoreVersion'];
const MUTUAL_WORDS = `['${MUTUAL.join("', '")}']`;

/** Returns the mutual TLS configuration for both kinds of domain. */
const mutualOf = (given: Obj): Obj =>
  Object.fromEntries(Object.entries(pick(given, MUTUAL)).filter(([, value]) => Boolean(value)));

/**
 * Creates the domain of a REST API, with base paths and DNS records.
 * @throws SamProblem
 */
export function addRestDomain(id: string, given: unknown, tags: unknown, attributes: Obj, to: Translation): void {
  if (given === undefined || given === null) return;
  const whole: boolean = isIntrinsic(given);
  if (!isObject(given) || whole) throw resourceProblem(id, "Property 'Domain' should be a map.");
  for (const name of ['DomainName', 'CertificateArn'])
    if (given[name] === undefined || given[name] === null)
      throw resourceProblem(id, `Property 'Domain.${name}' is required.`);
  const domain = to.resolver.resolve(given);
  const { EndpointConfiguration: endpoint = 'REGIONAL', AccessAssociation: association } = domain;
  if (typeof endpoint !== 'string' || !['EDGE', 'REGIONAL', 'PRIVATE'].includes(endpoint))
    throw resourceProblem(
      id,
      "EndpointConfiguration for Custom Domains must be one of ['EDGE', 'REGIONAL', 'PRIVATE'].",
    );
  const isPrivate = endpoint === 'PRIVATE';
  const domainId = `ApiGatewayDomainName${isPrivate ? 'V2' : ''}${shortDigest(domain.DomainName)}`;
  const { MutualTlsAuthentication: mutual } = domain;
  if (mutual && !isObject(mutual))
    throw resourceProblem(id, "Property 'Domain.MutualTlsAuthentication' should be a map.");
  if (isObject(mutual) && Object.keys(mutual).some((name) => !MUTUAL.includes(name)))
    throw resourceProblem(id, `Available Domain.MutualTlsAuthentication fields are ${MUTUAL_WORDS}.`);
  const EndpointConfiguration = defined({ Types: [endpoint], IpAddressType: domain.IpAddressType });
  to.add(
    domainId,
    isPrivate ? 'AWS::ApiGateway::DomainNameV2' : 'AWS::ApiGateway::DomainName',
    {
      DomainName: domain.DomainName,
      EndpointConfiguration,
      [endpoint === 'REGIONAL' ? 'RegionalCertificateArn' : 'CertificateArn']: domain.CertificateArn,
      MutualTlsAuthentication: isObject(mutual) ? mutualOf(mutual) : undefined,
      SecurityPolicy: domain.SecurityPolicy || undefined,
      OwnershipVerificationCertificateArn: domain.OwnershipVerificationCertificateArn || undefined,
      EndpointAccessMode: domain.EndpointAccessMode,
      Tags: tags,
      Policy: isPrivate ? domain.Policy : undefined,
    },
    attributes,
  );
  to.references.add(id, isPrivate ? 'DomainNameV2' : 'DomainName', domainId);
  addBasePaths(id, domainId, domain, isPrivate, attributes, to);
  if (association !== undefined && isPrivate) {
    if (!isObject(association)) throw resourceProblem(id, "Property 'Domain.AccessAssociation' should be a map.");
    associate(id, domainId, association, attributes, to);
  }
  addRecords(id, domain, restAlias(domainId, endpoint), attributes, to);
}

function addBasePaths(
  id: string,
  domainId: string,
  domain: Obj,
  isPrivate: boolean,
  attributes: Obj,
  to: Translation,
): void {
  const type = `AWS::ApiGateway::BasePathMapping${isPrivate ? 'V2' : ''}`;
  const common = {
    [isPrivate ? 'DomainNameArn' : 'DomainName']: ref(domainId),
    RestApiId: ref(id),
    Stage: ref(`${id}.Stage`),
  };
  const paths = pathsOf(domain);
  if (!paths) to.add(`${id}BasePathMapping`, type, common, attributes);
  paths?.forEach((path, index) => {
    if (typeof path !== 'string') throw resourceProblem(id, `Property 'Domain.BasePath[${index}]' should be a string.`);
    const plain = path.replace(/[^\p{L}\p{N}]/gu, '');
    const BasePath = domain.NormalizeBasePath === false ? path : plain;
    to.add(`${id}${plain}BasePathMapping`, type, { ...common, BasePath }, attributes);
  });
}

/** Grants a VPC endpoint access to a private domain. */
function associate(id: string, domainId: string, association: Obj, attributes: Obj, to: Translation): void {
  const { VpcEndpointId: endpoint } = association;
  if (!endpoint) throw resourceProblem(id, "Property 'Domain.AccessAssociation.VpcEndpointId' is required.");
  to.add(
    `DomainNameAccessAssociation${shortDigest([endpoint, domainId])}`,
    'AWS::ApiGateway::DomainNameAccessAssociation',
    { AccessAssociationSource: endpoint, AccessAssociationSourceType: 'VPCE', DomainNameArn: ref(domainId) },
    attributes,
  );
}

type Alias = (route53: Obj) => Obj;

const restAlias =
  (domainId: string, endpoint: string): Alias =>
  (route53) => {
    if (endpoint === 'REGIONAL')
      return {
        HostedZoneId: getAtt(domainId, 'RegionalHostedZoneId'),
        DNSName: getAtt(domainId, 'RegionalDomainName'),
      };
    if (endpoint === 'PRIVATE')
      return { HostedZoneId: route53.VpcEndpointHostedZoneId, DNSName: route53.VpcEndpointDomainName };
    return {
      HostedZoneId: CLOUDFRONT_ZONE,
      DNSName: route53.DistributionDomainName ?? getAtt(domainId, 'DistributionDomainName'),
    };
  };

/**
 * Creates the DNS records of a domain, merged with those of other domains in the same hosted zone.
 * @param isShared false for WebSocket APIs, of which AWS keeps only the records of the last one
 * @throws SamProblem
 */
function addRecords(id: string, domain: Obj, alias: Alias, attributes: Obj, to: Translation, isShared = true): void {
  const { Route53: route53, DomainName } = domain;
  if (route53 === undefined || route53 === null) return;
  if (!isObject(route53)) throw resourceProblem(id, "Property 'Domain.Route53' should be a map.");
  const { HostedZoneId, HostedZoneName, SeparateRecordSetGroup: separate } = route53;
  if (!HostedZoneId && !HostedZoneName)
    throw resourceProblem(
      id,
      'HostedZoneId or HostedZoneName is required to enable Route53 support on Custom Domains.',
    );
  if (separate !== undefined && typeof separate !== 'boolean')
    throw resourceProblem(id, "Property 'Domain.Route53.SeparateRecordSetGroup' should be a boolean.");
  const zone = HostedZoneId || HostedZoneName;
  const groupId = `RecordSetGroup${shortDigest(separate === true ? [zone, DomainName] : zone)}`;
  const AliasTarget = defined({ ...alias(route53), EvaluateTargetHealth: route53.EvaluateTargetHealth });
  const RecordSets = (route53.IpV6 === true ? ['A', 'AAAA'] : ['A']).map((Type) =>
    defined({
      Name: DomainName,
      Type,
      AliasTarget,
      Region: route53.Region,
      SetIdentifier: route53.SetIdentifier,
    }),
  );
  const known = isShared ? to.output[groupId]?.Properties?.RecordSets : undefined;
  if (Array.isArray(known)) known.push(...RecordSets);
  else
    to.add(
      groupId,
      'AWS::Route53::RecordSetGroup',
      { ...pick(route53, ['HostedZoneId', 'HostedZoneName']), RecordSets },
      attributes,
    );
}

/**
 * Creates the domain of an HTTP or WebSocket API, with mappings and DNS records.
 * @param tags tags of the domain
 * @throws SamProblem
 */
export function addDomainV2(
  id: string,
  given: unknown,
  tags: Obj,
  attributes: Obj,
  to: Translation,
  isShared = true,
): void {
  if (given === undefined || given === null) return;
  if (!isObject(given)) throw resourceProblem(id, "Property 'Domain' should be a map.");
  const domain = to.resolver.resolve(given);
  const { DomainName, CertificateArn, EndpointConfiguration: EndpointType = 'REGIONAL' } = domain;
  if (!DomainName || !CertificateArn)
    throw resourceProblem(id, 'Custom Domains only works if both DomainName and CertificateArn are provided.');
  if (EndpointType !== 'REGIONAL')
    throw resourceProblem(id, "EndpointConfiguration for Custom Domains must be one of ['REGIONAL'].");
  const { MutualTlsAuthentication: mutual, SecurityPolicy, OwnershipVerificationCertificateArn } = domain;
  if (mutual && !isObject(mutual))
    throw resourceProblem(
      id,
      `MutualTlsAuthentication must be a map with at least one of the following fields ${MUTUAL_WORDS}.`,
    );
  const unknown = Object.keys(isObject(mutual) ? mutual : {}).filter((name) => !MUTUAL.includes(name));
  if (unknown.length)
    throw new SamProblem(
      `Resource with id [${unknown.sort().join(',')}] is invalid. Available MutualTlsAuthentication fields are ${MUTUAL_WORDS}.`,
    );
  const domainId = `ApiGatewayDomainNameV2${shortDigest(DomainName)}`;
  to.add(
    domainId,
    'AWS::ApiGatewayV2::DomainName',
    {
      DomainName,
      DomainNameConfigurations: [
        defined({
          CertificateArn,
          EndpointType,
          SecurityPolicy: SecurityPolicy || undefined,
          OwnershipVerificationCertificateArn: OwnershipVerificationCertificateArn || undefined,
          IpAddressType: domain.IpAddressType,
        }),
      ],
      MutualTlsAuthentication: isObject(mutual) ? mutualOf(mutual) : undefined,
      Tags: tags,
    },
    attributes,
  );
  to.references.add(id, 'DomainName', domainId);
  const common = { DomainName: ref(domainId), ApiId: ref(id), Stage: ref(`${id}.Stage`) };
  const paths = pathsOf(domain);
  if (!paths) to.add(`${id}ApiMapping`, 'AWS::ApiGatewayV2::ApiMapping', common, attributes);
  for (const path of paths ?? []) {
    if (typeof path !== 'string') throw resourceProblem(id, 'Basepath must be a string.');
    if (/[^0-9a-zA-Z/\-_]/.test(path)) throw resourceProblem(id, 'Invalid Basepath name provided.');
    to.add(
      `${id}${path.replace(/[-_/]/g, '')}ApiMapping`,
      'AWS::ApiGatewayV2::ApiMapping',
      { ...common, ApiMappingKey: path.replace(/^\/+|\/+$/g, '') },
      attributes,
    );
  }
  const alias = () => ({
    HostedZoneId: getAtt(domainId, 'RegionalHostedZoneId'),
    DNSName: getAtt(domainId, 'RegionalDomainName'),
  });
  addRecords(id, domain, alias, attributes, to, isShared);
}
