# Methods with every kind of integration, without a deployment.

resource "aws_cognito_user_pool" "customers" {
  name = "apigateway-customers"
}

resource "aws_api_gateway_rest_api" "methods" {
  name        = "methods"
  description = var.changed ? "Each kind of integration" : "Kinds of integrations"
}

resource "aws_api_gateway_authorizer" "customers" {
  name          = "customers"
  type          = "COGNITO_USER_POOLS"
  rest_api_id   = aws_api_gateway_rest_api.methods.id
  provider_arns = [aws_cognito_user_pool.customers.arn]
}

resource "aws_api_gateway_authorizer" "request" {
  name                             = "request"
  type                             = "REQUEST"
  rest_api_id                      = aws_api_gateway_rest_api.methods.id
  authorizer_uri                   = aws_lambda_function.handler.invoke_arn
  authorizer_credentials           = aws_iam_role.invocation.arn
  identity_source                  = "method.request.header.Authorization,context.path"
  authorizer_result_ttl_in_seconds = var.changed ? 0 : 60
}

resource "aws_iam_role" "invocation" {
  name               = "apigateway-invocation"
  path               = "/"
  assume_role_policy = aws_iam_role.logs.assume_role_policy
}

resource "aws_api_gateway_resource" "item" {
  rest_api_id = aws_api_gateway_rest_api.methods.id
  parent_id   = aws_api_gateway_rest_api.methods.root_resource_id
  path_part   = var.changed ? "{id}" : "{item}"
}

resource "aws_api_gateway_method" "customer" {
  rest_api_id          = aws_api_gateway_rest_api.methods.id
  resource_id          = aws_api_gateway_resource.item.id
  http_method          = "GET"
  authorization        = "COGNITO_USER_POOLS"
  authorizer_id        = aws_api_gateway_authorizer.customers.id
  authorization_scopes = ["shop/read", var.changed ? "shop/list" : "shop/find"]
  operation_name       = "find"

  request_parameters = {
    "method.request.header.X-Trace" = var.changed
    "method.request.querystring.q"  = true
  }
}

resource "aws_api_gateway_integration" "http" {
  rest_api_id             = aws_api_gateway_rest_api.methods.id
  resource_id             = aws_api_gateway_resource.item.id
  http_method             = aws_api_gateway_method.customer.http_method
  type                    = "HTTP"
  uri                     = "https://shop.example/items"
  integration_http_method = "GET"
  passthrough_behavior    = "WHEN_NO_TEMPLATES"
  content_handling        = "CONVERT_TO_TEXT"
  timeout_milliseconds    = var.changed ? 5000 : 29000
  cache_key_parameters    = ["method.request.querystring.q"]
  cache_namespace         = "items"
  connection_type         = "VPC_LINK"
  connection_id           = aws_api_gateway_vpc_link.inside.id

  request_templates = {
    "application/json" = ""
    "application/xml"  = "#set($inputRoot = $input.path('$'))\n{ }"
  }

  request_parameters = {
    "integration.request.header.X-Authorization" = var.changed ? "'other'" : "'static'"
    "integration.request.querystring.q"          = "method.request.querystring.q"
  }

  tls_config {
    insecure_skip_verification = true
  }
}

resource "aws_api_gateway_method_response" "found" {
  rest_api_id = aws_api_gateway_rest_api.methods.id
  resource_id = aws_api_gateway_resource.item.id
  http_method = aws_api_gateway_method.customer.http_method
  status_code = "200"

  response_models = {
    "application/json" = "Empty"
  }

  response_parameters = {
    "method.response.header.X-Item" = var.changed
  }
}

resource "aws_api_gateway_integration_response" "found" {
  rest_api_id       = aws_api_gateway_rest_api.methods.id
  resource_id       = aws_api_gateway_resource.item.id
  http_method       = aws_api_gateway_method.customer.http_method
  status_code       = aws_api_gateway_method_response.found.status_code
  selection_pattern = "2\\d{2}"
  content_handling  = "CONVERT_TO_BINARY"

  response_parameters = {
    "method.response.header.X-Item" = "integration.response.header.${var.changed ? "X-Id" : "X-Item"}"
  }

  response_templates = {
    "application/xml" = <<-E
      #set($inputRoot = $input.path('$'))
      <message>$inputRoot.body</message>
    E
  }

  depends_on = [aws_api_gateway_integration.http]
}

resource "aws_api_gateway_method" "any" {
  rest_api_id   = aws_api_gateway_rest_api.methods.id
  resource_id   = aws_api_gateway_resource.item.id
  http_method   = "ANY"
  authorization = var.changed ? "CUSTOM" : "AWS_IAM"
  authorizer_id = var.changed ? aws_api_gateway_authorizer.request.id : null
}

resource "aws_api_gateway_integration" "service" {
  rest_api_id             = aws_api_gateway_rest_api.methods.id
  resource_id             = aws_api_gateway_resource.item.id
  http_method             = aws_api_gateway_method.any.http_method
  type                    = "AWS"
  uri                     = "arn:aws:apigateway:eu-central-1:sqs:path/123456789012/orders"
  integration_http_method = "POST"
  credentials             = var.changed ? "arn:aws:iam::*:user/*" : aws_iam_role.invocation.arn

  request_parameters = {
    "integration.request.header.Content-Type" = "'application/x-www-form-urlencoded'"
  }

  request_templates = {
    "application/json" = "Action=SendMessage&MessageBody=$util.urlEncode($input.body)"
  }
}

resource "aws_api_gateway_gateway_response" "unauthorized" {
  rest_api_id   = aws_api_gateway_rest_api.methods.id
  response_type = "UNAUTHORIZED"
  status_code   = "401"

  response_templates = {
    "application/json" = "{\"message\":$context.error.messageString}"
  }

  response_parameters = {
    "gatewayresponse.header.Authorization" = var.changed ? "'Bearer'" : "'Basic'"
  }
}

resource "aws_api_gateway_request_validator" "parameters" {
  name                        = "parameters"
  rest_api_id                 = aws_api_gateway_rest_api.methods.id
  validate_request_parameters = var.changed
}

resource "aws_api_gateway_model" "item" {
  rest_api_id  = aws_api_gateway_rest_api.methods.id
  name         = "Item"
  description  = var.changed ? "An item" : "Item"
  content_type = "application/json"

  schema = <<-E
    {
      "type": "object"
    }
  E
}

resource "aws_api_gateway_usage_plan" "free" {
  name         = "free"
  description  = "Free of charge"
  product_code = var.changed ? "FREE2" : "FREE"

  api_stages {
    api_id = aws_api_gateway_rest_api.imported.id
    stage  = aws_api_gateway_stage.imported.stage_name

    throttle {
      path        = "/orders/GET"
      burst_limit = 2
      rate_limit  = var.changed ? 2 : 1
    }
  }

  quota_settings {
    limit  = 20
    offset = 2
    period = "WEEK"
  }
}

resource "aws_api_gateway_api_key" "free" {
  name        = "free"
  description = "Key of the free plan"
  enabled     = var.changed
  customer_id = "customer"

  tags = {
    Team = "shop"
  }
}
