"""The clients of the tagging API and of Resource Groups: tags across services, and groups by them."""

import json

import boto3
from botocore.exceptions import ClientError

groups = boto3.client("resource-groups")
tagging = boto3.client("resourcegroupstaggingapi")
sns = boto3.client("sns")
sqs = boto3.client("sqs")

url = sqs.create_queue(QueueName="tagged", tags={"project": "x"})["QueueUrl"]
queue = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
topic = sns.create_topic(Name="tagged")["TopicArn"]

assert tagging.tag_resources(ResourceARNList=[topic], Tags={"project": "x", "stage": "test"})["FailedResourcesMap"] == {}
pages = tagging.get_paginator("get_resources").paginate(TagFilters=[{"Key": "project", "Values": ["x"]}])
found = {one["ResourceARN"]: one["Tags"] for page in pages for one in page["ResourceTagMappingList"]}
assert set(found) == {queue, topic}, found
assert {"Key": "stage", "Value": "test"} in found[topic], found
only = tagging.get_resources(TagFilters=[{"Key": "project"}], ResourceTypeFilters=["sqs"])["ResourceTagMappingList"]
assert [one["ResourceARN"] for one in only] == [queue], only
keys = [key for page in tagging.get_paginator("get_tag_keys").paginate() for key in page["TagKeys"]]
assert {"project", "stage"} <= set(keys), keys
assert tagging.get_tag_values(Key="stage")["TagValues"] == ["test"]

query = {"ResourceTypeFilters": ["AWS::AllSupported"], "TagFilters": [{"Key": "project", "Values": ["x"]}]}
made = groups.create_group(
    Name="project-x",
    Description="what belongs to it",
    ResourceQuery={"Type": "TAG_FILTERS_1_0", "Query": json.dumps(query)},
    Tags={"team": "orders"},
)
arn = made["Group"]["GroupArn"]
members = [one["Identifier"]["ResourceArn"] for one in groups.list_group_resources(Group="project-x")["Resources"]]
assert set(members) == {queue, topic}, members
assert groups.get_tags(Arn=arn)["Tags"] == {"team": "orders"}

assert tagging.untag_resources(ResourceARNList=[topic], TagKeys=["project"])["FailedResourcesMap"] == {}
members = [one["Identifier"]["ResourceArn"] for one in groups.list_group_resources(Group="project-x")["Resources"]]
assert members == [queue], members

groups.delete_group(Group="project-x")
try:
    groups.get_group(Group="project-x")
    raise AssertionError("the group is still there")
except ClientError as error:
    assert error.response["Error"]["Code"] == "NotFoundException", error

print("ok")
