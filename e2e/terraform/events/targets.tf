variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_iam_role" "events" {
  name = "events-targets"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "events.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_kms_key" "targets" {
  description             = "events"
  deletion_window_in_days = 7
}

resource "aws_cloudwatch_event_bus" "encrypted" {
  name               = "encrypted"
  description        = var.changed ? "Second" : "First"
  kms_key_identifier = aws_kms_key.targets.arn

  dead_letter_config {
    arn = var.changed ? aws_sqs_queue.orders.arn : aws_sqs_queue.dead.arn
  }
}

resource "aws_cloudwatch_event_bus_policy" "encrypted" {
  event_bus_name = aws_cloudwatch_event_bus.encrypted.name

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = var.changed ? "development" : "test"
      Effect    = "Allow"
      Principal = { AWS = "111111111111" }
      Action    = "events:PutEvents"
      Resource  = aws_cloudwatch_event_bus.encrypted.arn
    }]
  })
}

resource "aws_cloudwatch_event_permission" "organization" {
  event_bus_name = aws_cloudwatch_event_bus.orders.name
  principal      = "*"
  statement_id   = "organization"

  condition {
    key   = "aws:PrincipalOrgID"
    type  = "StringEquals"
    value = "o-0123456789"
  }
}

resource "aws_cloudwatch_event_rule" "minutes" {
  name_prefix         = "minutes-"
  description         = var.changed ? "Second" : "First"
  schedule_expression = var.changed ? "rate(10 minutes)" : "rate(5 minutes)"
  role_arn            = aws_iam_role.events.arn
  state               = "DISABLED"
  force_destroy       = true

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_cloudwatch_event_rule" "trail" {
  name  = "trail"
  state = var.changed ? "ENABLED" : "DISABLED"

  event_pattern = <<-E
    {
      "detail-type": ["AWS Console Sign In via CloudTrail"],
      "detail": {"name": [{"anything-but": {"prefix": "init"}}], "url": ["a&b<c>"]}
    }
  E
}

locals {
  arn = "arn:aws:%s:eu-central-1:123456789012:%s"
}

resource "aws_cloudwatch_event_target" "text" {
  rule      = aws_cloudwatch_event_rule.minutes.name
  target_id = "text"
  arn       = aws_sqs_queue.orders.arn
  input     = jsonencode({ text = var.changed ? "second" : "first" })
}

resource "aws_cloudwatch_event_target" "generated" {
  rule       = aws_cloudwatch_event_rule.minutes.name
  arn        = aws_sqs_queue.orders.arn
  input_path = var.changed ? "$.detail.id" : "$.detail"
}

resource "aws_sqs_queue" "ordered" {
  name       = "events-orders.fifo"
  fifo_queue = true
}

resource "aws_cloudwatch_event_target" "ordered" {
  rule      = aws_cloudwatch_event_rule.minutes.name
  target_id = "ordered"
  arn       = aws_sqs_queue.ordered.arn

  sqs_target {
    message_group_id = var.changed ? "second" : "first"
  }
}

resource "aws_cloudwatch_event_target" "task" {
  rule      = aws_cloudwatch_event_rule.trail.name
  target_id = "task"
  arn       = format(local.arn, "ecs", "cluster/shop")
  role_arn  = aws_iam_role.events.arn
  input     = jsonencode({ containerOverrides = [{ name = "app", command = ["run"] }] })

  ecs_target {
    task_count              = var.changed ? 2 : 1
    task_definition_arn     = format(local.arn, "ecs", "task-definition/app:1")
    launch_type             = "FARGATE"
    platform_version        = "LATEST"
    group                   = "orders"
    enable_execute_command  = true
    enable_ecs_managed_tags = true
    propagate_tags          = "TASK_DEFINITION"

    network_configuration {
      subnets          = ["subnet-0123456789abcdef0"]
      security_groups  = ["sg-0123456789abcdef0"]
      assign_public_ip = true
    }

    tags = {
      Team = "orders"
    }
  }
}

resource "aws_cloudwatch_event_target" "batch" {
  rule      = aws_cloudwatch_event_rule.trail.name
  target_id = "batch"
  arn       = format(local.arn, "batch", "job-queue/orders")
  role_arn  = aws_iam_role.events.arn

  batch_target {
    job_definition = format(local.arn, "batch", "job-definition/app:1")
    job_name       = "app"
    array_size     = var.changed ? 4 : 2
    job_attempts   = 3
  }
}

resource "aws_cloudwatch_event_target" "stream" {
  rule      = aws_cloudwatch_event_rule.trail.name
  target_id = "stream"
  arn       = format(local.arn, "kinesis", "stream/orders")
  role_arn  = aws_iam_role.events.arn

  kinesis_target {
    partition_key_path = var.changed ? "$.id" : "$.detail.id"
  }
}

resource "aws_cloudwatch_event_target" "command" {
  rule      = aws_cloudwatch_event_rule.trail.name
  target_id = "command"
  arn       = "arn:aws:ssm:eu-central-1::document/AWS-RunShellScript"
  role_arn  = aws_iam_role.events.arn
  input     = jsonencode({ commands = ["halt"] })

  run_command_targets {
    key    = "tag:Name"
    values = var.changed ? ["a", "b"] : ["a"]
  }
}

resource "aws_cloudwatch_event_target" "warehouse" {
  rule      = aws_cloudwatch_event_rule.trail.name
  target_id = "warehouse"
  arn       = format(local.arn, "redshift", "cluster:orders")
  role_arn  = aws_iam_role.events.arn

  redshift_target {
    database       = "orders"
    db_user        = "admin"
    sql            = "insert into orders values (1)"
    statement_name = "insert"
    with_event     = var.changed
  }
}

resource "aws_cloudwatch_event_rule" "calls" {
  name           = "calls"
  event_bus_name = aws_cloudwatch_event_bus.encrypted.name
  event_pattern  = jsonencode({ source = ["shop"] })
}

resource "aws_cloudwatch_event_target" "model" {
  rule           = aws_cloudwatch_event_rule.calls.name
  event_bus_name = aws_cloudwatch_event_bus.encrypted.name
  target_id      = "model"
  arn            = format(local.arn, "sagemaker", "pipeline/orders")
  role_arn       = aws_iam_role.events.arn

  sagemaker_pipeline_target {
    pipeline_parameter_list {
      name  = "size"
      value = var.changed ? "2" : "1"
    }
  }
}

resource "aws_cloudwatch_event_target" "graph" {
  rule           = aws_cloudwatch_event_rule.calls.name
  event_bus_name = aws_cloudwatch_event_bus.encrypted.name
  target_id      = "graph"
  arn            = format(local.arn, "appsync", "endpoints/graphql-api/abcdefghijklmnopqrstuvwxyz")
  role_arn       = aws_iam_role.events.arn

  input_transformer {
    input_paths = {
      input = "$.detail.input"
    }

    input_template = <<-E
      {
        "input": <input>
      }
    E
  }

  appsync_target {
    graphql_operation = "mutation ${var.changed ? "Second" : "First"}($input: String!) { put(input: $input) { id } }"
  }
}

resource "aws_cloudwatch_event_target" "destination" {
  rule           = aws_cloudwatch_event_rule.calls.name
  event_bus_name = aws_cloudwatch_event_bus.encrypted.name
  target_id      = "destination"
  arn            = aws_cloudwatch_event_api_destination.parameters.arn
  role_arn       = aws_iam_role.events.arn

  http_target {
    path_parameter_values = ["orders"]

    query_string_parameters = {
      id = "$.detail.id"
    }

    header_parameters = {
      x-order = var.changed ? "second" : "first"
    }
  }
}

resource "aws_cloudwatch_event_target" "bus" {
  rule           = aws_cloudwatch_event_rule.calls.name
  event_bus_name = aws_cloudwatch_event_bus.encrypted.name
  target_id      = "bus"
  arn            = "arn:aws:events:eu-west-1:123456789012:event-bus/default"
  role_arn       = aws_iam_role.events.arn
}

resource "aws_cloudwatch_event_api_destination" "parameters" {
  name                = "parameters"
  description         = var.changed ? "Second" : "First"
  invocation_endpoint = "https://shop.example.com/*"
  http_method         = var.changed ? "PUT" : "POST"
  connection_arn      = aws_cloudwatch_event_connection.basic.arn
}

resource "aws_cloudwatch_event_connection" "basic" {
  name               = "basic"
  description        = var.changed ? "Second" : "First"
  authorization_type = "BASIC"

  auth_parameters {
    basic {
      username = "user"
      password = "secret"
    }
  }
}

resource "aws_cloudwatch_event_connection" "oauth" {
  name               = "oauth"
  authorization_type = "OAUTH_CLIENT_CREDENTIALS"
  kms_key_identifier = aws_kms_key.targets.arn

  auth_parameters {
    oauth {
      authorization_endpoint = "https://shop.example.com/${var.changed ? "v2" : "v1"}"
      http_method            = "GET"

      client_parameters {
        client_id     = "1234567890"
        client_secret = "secret"
      }

      oauth_http_parameters {
        body {
          key             = "body"
          value           = "a"
          is_value_secret = false
        }

        header {
          key             = "header"
          value           = "b"
          is_value_secret = true
        }

        query_string {
          key             = "query"
          value           = "c"
          is_value_secret = false
        }
      }
    }

    invocation_http_parameters {
      query_string {
        key             = "page"
        value           = "1"
        is_value_secret = false
      }

      body {
        key             = "size"
        value           = "10"
        is_value_secret = true
      }
    }
  }
}

resource "aws_cloudwatch_event_archive" "all" {
  name             = "all"
  description      = var.changed ? "Second" : "First"
  event_source_arn = aws_cloudwatch_event_bus.orders.arn
  retention_days   = var.changed ? 2 : 0
  event_pattern    = jsonencode({ source = [var.changed ? "orders" : "shop"] })
}

resource "aws_cloudwatch_event_endpoint" "global" {
  name        = "global"
  description = var.changed ? "Second" : "First"
  role_arn    = aws_iam_role.events.arn

  event_bus {
    event_bus_arn = "arn:aws:events:eu-central-1:123456789012:event-bus/default"
  }

  event_bus {
    event_bus_arn = "arn:aws:events:eu-west-1:123456789012:event-bus/default"
  }

  replication_config {
    state = var.changed ? "DISABLED" : "ENABLED"
  }

  routing_config {
    failover_config {
      primary {
        health_check = "arn:aws:route53:::healthcheck/01234567-0123-0123-0123-0123456789ab"
      }

      secondary {
        route = "eu-west-1"
      }
    }
  }
}
