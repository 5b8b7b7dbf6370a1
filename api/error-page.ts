import { html } from 'hono/html'

/** What a person is told, and what they can do then. */
type Refusal = { title: string; messages: string[]; advice: string | ReturnType<typeof html> }

/** What people do who have posted a form without script. */
export const GO_BACK = "Nothing was sent. Use your browser's Back button: what you typed is still there."

/** A page for people whose request was refused where no script is there to tell them: what is wrong, and what to do. */
export const errorPage = ({ title, messages, advice }: Refusal) => html`<!doctype html>
<html lang="en-ZA">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
body { margin: 0; background: #faf7ef; color: #15171e; font: 1.125rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 4rem 1.5rem; }
h1 { font-size: 2.25rem; line-height: 1.15; letter-spacing: -0.02em; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<ul>
${messages.map((message) => html`<li>${message}</li>`)}
</ul>
<p>${advice}</p>
</main>
</body>
</html>
`
