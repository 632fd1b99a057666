resource "aws_sns_topic" "alarms" {
  name = "cloudwatch-alarms"
}

resource "aws_sqs_queue" "alarms" {
  name = "cloudwatch-alarms"
}

resource "aws_sns_topic_subscription" "alarms" {
  topic_arn            = aws_sns_topic.alarms.arn
  protocol             = "sqs"
  endpoint             = aws_sqs_queue.alarms.arn
  raw_message_delivery = true
}

resource "aws_cloudwatch_metric_alarm" "latency" {
  alarm_name          = "latency"
  alarm_description   = "answers take too long"
  namespace           = "Shop"
  metric_name         = "Latency"
  statistic           = "Maximum"
  period              = 60
  evaluation_periods  = 1
  threshold           = 100
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "ignore"
  alarm_actions       = [aws_sns_topic.alarms.arn]

  dimensions = {
    Service = "orders"
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_cloudwatch_metric_alarm" "errors" {
  alarm_name          = "error-rate"
  evaluation_periods  = 2
  threshold           = 5
  comparison_operator = "GreaterThanOrEqualToThreshold"

  metric_query {
    id          = "rate"
    expression  = "100 * errors / calls"
    label       = "error rate"
    return_data = true
  }

  metric_query {
    id = "errors"
    metric {
      namespace   = "Shop"
      metric_name = "Errors"
      period      = 60
      stat        = "Sum"
    }
  }

  metric_query {
    id = "calls"
    metric {
      namespace   = "Shop"
      metric_name = "Calls"
      period      = 60
      stat        = "Sum"
    }
  }
}

resource "aws_cloudwatch_composite_alarm" "shop" {
  alarm_name = "shop"
  alarm_rule = "ALARM(${aws_cloudwatch_metric_alarm.latency.alarm_name}) OR ALARM(${aws_cloudwatch_metric_alarm.errors.alarm_name})"
}

resource "aws_cloudwatch_dashboard" "shop" {
  dashboard_name = "shop"
  dashboard_body = jsonencode({
    widgets = [{
      type   = "metric"
      x      = 0
      y      = 0
      width  = 12
      height = 6
      properties = {
        metrics = [["Shop", "Latency", "Service", "orders"]]
        region  = "eu-central-1"
        period  = 60
        stat    = "Maximum"
      }
    }]
  })
}
