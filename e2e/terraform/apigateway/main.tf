variable "package" {
  description = "path of a function's package"
  type        = string
}

resource "aws_iam_role" "function" {
  name = "apigateway-function"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "lambda.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_lambda_function" "handler" {
  function_name    = "apigateway-handler"
  role             = aws_iam_role.function.arn
  runtime          = "nodejs20.x"
  handler          = "index.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
}

resource "aws_lambda_permission" "api" {
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.handler.function_name
  principal     = "apigateway.amazonaws.com"
  source_arn    = "${aws_api_gateway_rest_api.shop.execution_arn}/*"
}

resource "aws_api_gateway_rest_api" "shop" {
  name               = "shop"
  description        = "what the shop sells"
  binary_media_types = ["image/png"]

  endpoint_configuration {
    types = ["REGIONAL"]
  }

  tags = {
    Team = "shop"
  }
}

resource "aws_api_gateway_authorizer" "token" {
  name            = "token"
  rest_api_id     = aws_api_gateway_rest_api.shop.id
  authorizer_uri  = aws_lambda_function.handler.invoke_arn
  identity_source = "method.request.header.Authorization"
}

resource "aws_api_gateway_request_validator" "body" {
  name                  = "body"
  rest_api_id           = aws_api_gateway_rest_api.shop.id
  validate_request_body = true
}

resource "aws_api_gateway_model" "order" {
  rest_api_id  = aws_api_gateway_rest_api.shop.id
  name         = "Order"
  content_type = "application/json"
  schema       = jsonencode({ type = "object", required = ["sku"] })
}

resource "aws_api_gateway_resource" "orders" {
  rest_api_id = aws_api_gateway_rest_api.shop.id
  parent_id   = aws_api_gateway_rest_api.shop.root_resource_id
  path_part   = "orders"
}

resource "aws_api_gateway_method" "list" {
  rest_api_id   = aws_api_gateway_rest_api.shop.id
  resource_id   = aws_api_gateway_resource.orders.id
  http_method   = "GET"
  authorization = "CUSTOM"
  authorizer_id = aws_api_gateway_authorizer.token.id
}

resource "aws_api_gateway_integration" "list" {
  rest_api_id             = aws_api_gateway_rest_api.shop.id
  resource_id             = aws_api_gateway_resource.orders.id
  http_method             = aws_api_gateway_method.list.http_method
  type                    = "AWS_PROXY"
  integration_http_method = "POST"
  uri                     = aws_lambda_function.handler.invoke_arn
}

resource "aws_api_gateway_method" "post" {
  rest_api_id          = aws_api_gateway_rest_api.shop.id
  resource_id          = aws_api_gateway_resource.orders.id
  http_method          = "POST"
  authorization        = "NONE"
  api_key_required     = true
  request_validator_id = aws_api_gateway_request_validator.body.id

  request_models = {
    "application/json" = aws_api_gateway_model.order.name
  }
}

resource "aws_api_gateway_integration" "post" {
  rest_api_id = aws_api_gateway_rest_api.shop.id
  resource_id = aws_api_gateway_resource.orders.id
  http_method = aws_api_gateway_method.post.http_method
  type        = "MOCK"

  request_templates = {
    "application/json" = jsonencode({ statusCode = 200 })
  }
}

resource "aws_api_gateway_method_response" "ok" {
  rest_api_id = aws_api_gateway_rest_api.shop.id
  resource_id = aws_api_gateway_resource.orders.id
  http_method = aws_api_gateway_method.post.http_method
  status_code = "200"
}

resource "aws_api_gateway_integration_response" "ok" {
  rest_api_id = aws_api_gateway_rest_api.shop.id
  resource_id = aws_api_gateway_resource.orders.id
  http_method = aws_api_gateway_method.post.http_method
  status_code = aws_api_gateway_method_response.ok.status_code

  response_templates = {
    "application/json" = "{\"stage\": \"$context.stage\", \"v\": \"$stageVariables.v\"}"
  }

  depends_on = [aws_api_gateway_integration.post]
}

resource "aws_api_gateway_gateway_response" "missing" {
  rest_api_id   = aws_api_gateway_rest_api.shop.id
  response_type = "MISSING_AUTHENTICATION_TOKEN"
  status_code   = "404"

  response_templates = {
    "application/json" = "{\"message\":$context.error.messageString}"
  }
}

resource "aws_api_gateway_deployment" "shop" {
  rest_api_id = aws_api_gateway_rest_api.shop.id

  depends_on = [
    aws_api_gateway_integration.list,
    aws_api_gateway_integration_response.ok,
    aws_api_gateway_gateway_response.missing,
  ]
}

resource "aws_cloudwatch_log_group" "access" {
  name = "shop-access"
}

resource "aws_api_gateway_stage" "live" {
  rest_api_id   = aws_api_gateway_rest_api.shop.id
  deployment_id = aws_api_gateway_deployment.shop.id
  stage_name    = "live"

  variables = {
    v = "1"
  }

  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.access.arn
    format          = "$context.requestId $context.status"
  }
}

resource "aws_api_gateway_method_settings" "all" {
  rest_api_id = aws_api_gateway_rest_api.shop.id
  stage_name  = aws_api_gateway_stage.live.stage_name
  method_path = "*/*"

  settings {
    metrics_enabled        = true
    throttling_burst_limit = 50
    throttling_rate_limit  = 100
  }
}

resource "aws_api_gateway_api_key" "partner" {
  name  = "partner"
  value = "partner-key-of-the-shop"
}

resource "aws_api_gateway_usage_plan" "partners" {
  name = "partners"

  api_stages {
    api_id = aws_api_gateway_rest_api.shop.id
    stage  = aws_api_gateway_stage.live.stage_name
  }

  quota_settings {
    limit  = 100
    period = "DAY"
  }

  throttle_settings {
    burst_limit = 5
    rate_limit  = 10
  }
}

resource "aws_api_gateway_usage_plan_key" "partner" {
  key_id        = aws_api_gateway_api_key.partner.id
  key_type      = "API_KEY"
  usage_plan_id = aws_api_gateway_usage_plan.partners.id
}

resource "aws_api_gateway_domain_name" "shop" {
  domain_name              = "shop.example.com"
  regional_certificate_arn = "arn:aws:acm:eu-central-1:000000000000:certificate/00000000-0000-4000-8000-000000000000"

  endpoint_configuration {
    types = ["REGIONAL"]
  }
}

resource "aws_api_gateway_base_path_mapping" "shop" {
  api_id      = aws_api_gateway_rest_api.shop.id
  stage_name  = aws_api_gateway_stage.live.stage_name
  domain_name = aws_api_gateway_domain_name.shop.domain_name
  base_path   = "v1"
}
