import { dynamodbstreams } from '../../src/scenarios/dynamodbstreams.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(dynamodbstreams);
