"""The client of EventBridge Scheduler: groups, schedules, and a schedule that runs."""

import json

import boto3
from botocore.exceptions import ClientError

scheduler = boto3.client("scheduler")
sqs = boto3.client("sqs")
ROLE = "arn:aws:iam::123456789012:role/scheduler"

url = sqs.create_queue(QueueName="scheduled")["QueueUrl"]
queue = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
group = scheduler.create_schedule_group(Name="client", Tags=[{"Key": "team", "Value": "orders"}])["ScheduleGroupArn"]
assert scheduler.list_tags_for_resource(ResourceArn=group)["Tags"] == [{"Key": "team", "Value": "orders"}]

# A rate starts immediately.
arn = scheduler.create_schedule(
    Name="often",
    GroupName="client",
    ScheduleExpression="rate(1 hour)",
    FlexibleTimeWindow={"Mode": "OFF"},
    Target={"Arn": queue, "RoleArn": ROLE, "Input": json.dumps({"from": "<aws.scheduler.schedule-arn>"})},
)["ScheduleArn"]
assert arn.endswith(":schedule/client/often"), arn
(message,) = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20)["Messages"]
assert json.loads(message["Body"]) == {"from": arn}, message

got = scheduler.get_schedule(Name="often", GroupName="client")
assert (got["State"], got["ScheduleExpressionTimezone"]) == ("ENABLED", "UTC"), got
pages = scheduler.get_paginator("list_schedules").paginate(GroupName="client")
assert [schedule["Name"] for page in pages for schedule in page["Schedules"]] == ["often"]

try:
    scheduler.create_schedule(
        Name="wrong",
        ScheduleExpression="rate(10 seconds)",
        FlexibleTimeWindow={"Mode": "OFF"},
        Target={"Arn": queue, "RoleArn": ROLE},
    )
    raise AssertionError("a wrong expression was taken")
except ClientError as error:
    assert error.response["Error"] == {
        "Code": "ValidationException",
        "Message": "Invalid Schedule Expression rate(10 seconds).",
    }, error.response

scheduler.delete_schedule_group(Name="client")
assert scheduler.list_schedules()["Schedules"] == []
sqs.delete_queue(QueueUrl=url)
print("ok")
