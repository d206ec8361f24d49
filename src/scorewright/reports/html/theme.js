"use strict";
(() => {
  const theme = document.getElementById("theme");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let isDark = dark.matches;
  const themed = () => {
    theme.textContent = isDark ? "Light" : "Dark";
    theme.setAttribute("aria-label", isDark ? "Switch to light colours" : "Switch to dark colours");
  };
  theme.addEventListener("click", () => {
    isDark = !isDark;
    document.body.style.colorScheme = isDark ? "dark" : "light";
    themed();
  });
  theme.hidden = false;
  themed();
})();
