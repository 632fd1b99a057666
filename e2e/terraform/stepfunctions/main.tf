resource "aws_sqs_queue" "orders" {
  name = "workflow-orders"
}

resource "aws_cloudwatch_log_group" "workflow" {
  name = "/aws/vendedlogs/states/orders"
}

resource "aws_iam_role" "workflow" {
  name = "workflow"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = ["states.amazonaws.com", "pipes.amazonaws.com"] }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "workflow" {
  role = aws_iam_role.workflow.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["sqs:*", "states:*", "logs:*"]
      Resource = "*"
    }]
  })
}

resource "aws_sfn_state_machine" "orders" {
  name     = "orders"
  role_arn = aws_iam_role.workflow.arn
  publish  = true
  definition = jsonencode({
    StartAt = "Keep"
    States  = { Keep = { Type = "Pass", End = true } }
  })

  logging_configuration {
    level                  = "ALL"
    include_execution_data = true
    log_destination        = "${aws_cloudwatch_log_group.workflow.arn}:*"
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_sfn_alias" "live" {
  name = "live"

  routing_configuration {
    state_machine_version_arn = aws_sfn_state_machine.orders.state_machine_version_arn
    weight                    = 100
  }
}

resource "aws_sfn_state_machine" "enrich" {
  name     = "enrich"
  type     = "EXPRESS"
  role_arn = aws_iam_role.workflow.arn
  definition = jsonencode({
    StartAt = "Mark"
    States  = { Mark = { Type = "Pass", Parameters = { "order.$" = "$[0]", enriched = true }, End = true } }
  })
}

resource "aws_sfn_activity" "packing" {
  name = "packing"
}

resource "aws_pipes_pipe" "orders" {
  name       = "orders"
  role_arn   = aws_iam_role.workflow.arn
  source     = aws_sqs_queue.orders.arn
  enrichment = aws_sfn_state_machine.enrich.arn
  target     = aws_sfn_state_machine.orders.arn

  source_parameters {
    filter_criteria {
      filter {
        pattern = jsonencode({ body = { status = ["paid"] } })
      }
    }

    sqs_queue_parameters {
      batch_size = 1
    }
  }

  enrichment_parameters {
    input_template = "<$.body>"
  }

  target_parameters {
    step_function_state_machine_parameters {
      invocation_type = "FIRE_AND_FORGET"
    }
  }

  tags = {
    Team = "orders"
  }
}
