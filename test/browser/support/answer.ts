/** An answer with everything that an answer can hold, and with what it must not do. */
export const answer = `# Result

The test **fails** since \`a1b2c3\`:

1. look at [the log](https://logs.example/run/1)
2. run it *again*

- [x] found
- [ ] mended

| file | lines |
|---|---:|
| pay.ts | 120 |

> This is quoted.

\`\`\`ts
export function pay(total: number): string {
  // adds the fee
  return \`\${total + 1} USD\`;
}
\`\`\`

\`\`\`diff
--- a/pay.ts
+++ b/pay.ts
@@ -10,3 +10,3 @@
 export function pay(total: number) {
-  return total;
+  return total + 1;
 }
\`\`\`

<img src="http://evil.example/x.png" onerror="document.title='owned'"> ![chart](https://evil.example/chart.png)
[click](javascript:document.title='owned') <script>document.title='owned'</script>
`;
