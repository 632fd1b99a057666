import { dynamodb } from '../../src/scenarios/dynamodb.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(dynamodb);
