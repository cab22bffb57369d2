// The page that shows a figure: nothing in it is executed, and nothing is fetched.

function page(svg) {
  const data = Buffer.from(svg, "utf8").toString("base64");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<style>img { max-width: 100%; }</style>
</head>
<body><img alt="the figure of the mapping" src="data:image/svg+xml;base64,${data}"></body>
</html>`;
}

module.exports = { page };
