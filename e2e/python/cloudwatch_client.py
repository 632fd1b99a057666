"""The client of CloudWatch: data, statistics, math, alarms, dashboards and errors."""

from datetime import datetime, timedelta, timezone

import boto3
from botocore.exceptions import ClientError

cloudwatch = boto3.client("cloudwatch")
now = datetime.now(timezone.utc)
window = {"StartTime": now - timedelta(hours=1), "EndTime": now + timedelta(minutes=5)}
dimensions = [{"Name": "Service", "Value": "orders"}]

cloudwatch.put_metric_data(
    Namespace="Shop",
    MetricData=[
        {"MetricName": "Latency", "Dimensions": dimensions, "Values": [10, 20, 30], "Counts": [1, 2, 1], "Unit": "Milliseconds"},
        {"MetricName": "Calls", "Dimensions": dimensions, "Value": 4},
    ],
)
metrics = cloudwatch.list_metrics(Namespace="Shop")["Metrics"]
assert [metric["MetricName"] for metric in metrics] == ["Calls", "Latency"], metrics
series = {"Namespace": "Shop", "MetricName": "Latency", "Dimensions": dimensions, "Period": 3600, **window}
(point,) = cloudwatch.get_metric_statistics(Statistics=["Average", "SampleCount"], **series)["Datapoints"]
assert (point["Average"], point["SampleCount"], point["Unit"]) == (20.0, 4.0, "Milliseconds"), point
(point,) = cloudwatch.get_metric_statistics(ExtendedStatistics=["p100"], **series)["Datapoints"]
assert point["ExtendedStatistics"] == {"p100": 30.0} and point["Timestamp"].tzinfo is not None, point

latency = {"Namespace": "Shop", "MetricName": "Latency", "Dimensions": dimensions}
results = cloudwatch.get_metric_data(
    MetricDataQueries=[
        {"Id": "latency", "MetricStat": {"Metric": latency, "Period": 3600, "Stat": "Sum"}, "ReturnData": False},
        {"Id": "twice", "Expression": "latency * 2", "Label": "twice"},
        {"Id": "found", "Expression": "SEARCH('{Shop,Service} Calls', 'Sum', 3600)"},
    ],
    **window,
)["MetricDataResults"]
assert [(one["Label"], one["Values"]) for one in results] == [("twice", [160.0]), ("Calls", [4.0])], results

cloudwatch.put_metric_alarm(
    AlarmName="latency",
    Statistic="Maximum",
    Period=60,
    EvaluationPeriods=1,
    Threshold=25,
    ComparisonOperator="GreaterThanThreshold",
    **latency,
)
(alarm,) = cloudwatch.describe_alarms(AlarmNames=["latency"])["MetricAlarms"]
assert alarm["StateValue"] == "ALARM" and "30.0" in alarm["StateReason"], alarm
assert alarm["AlarmConfigurationUpdatedTimestamp"].tzinfo is not None

cloudwatch.put_dashboard(DashboardName="shop", DashboardBody='{"widgets": []}')
assert cloudwatch.get_dashboard(DashboardName="shop")["DashboardBody"] == '{"widgets": []}'

try:
    cloudwatch.set_alarm_state(AlarmName="none", StateValue="OK", StateReason="x")
    raise AssertionError("an alarm that is not there has a state")
except cloudwatch.exceptions.ResourceNotFound:
    pass
try:
    cloudwatch.put_metric_data(Namespace="Shop", MetricData=[{"MetricName": "x", "Value": 1, "Values": [1]}])
    raise AssertionError("a datum has a value and values")
except ClientError as error:
    assert error.response["Error"]["Code"] == "InvalidParameterCombination", error.response

print("ok")
