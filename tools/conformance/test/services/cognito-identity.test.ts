import { cognitoIdentity } from '../../src/scenarios/cognito-identity.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(cognitoIdentity);
